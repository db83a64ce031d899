import "./folded-name.css";

/** A name whose beginning, which all names around it share, gives way to dots where room is short. */
export function FoldedName({ name, prefix }: { name: string; prefix: string }) {
  if (prefix === "" || !name.startsWith(prefix)) return name;
  return (
    <>
      <span className="folded-prefix">{prefix}</span>
      {name.slice(prefix.length)}
    </>
  );
}

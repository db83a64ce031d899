/** A TOML file as its text. */
declare module "*.toml" {
  const text: string;
  export default text;
}

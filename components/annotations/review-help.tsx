/** How reviewing works, in the words of the form. */
export function ReviewHelp() {
  return (
    <details className="review-history">
      <summary>How this works</summary>
      <ul className="review-help">
        <li>
          A key or click sets the verdict. It counts once you save; until then the draft stays in this
          browser.
        </li>
        <li>Every save adds a version. Undo takes your last one back, and the one before it counts again.</li>
        <li>Only the browser that saved a judgment can change it or take it back, or an admin.</li>
        <li>A judgment never changes the reward. Where you disagree with the verifier, the lists say so.</li>
        <li>Others&rsquo; judgments are in the history, closed until you look.</li>
        <li>
          1 2 3 or d judge, Shift with a digit toggles a category, t adds one, n opens the note, Esc leaves a
          field.
        </li>
      </ul>
    </details>
  );
}

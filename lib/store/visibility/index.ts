/** Only the server, which identifies the caller, may import other files of this folder. */
export { findShown, registerShown, type Shown } from "./shown";
export { getVisibility, nameVisibility, runWithFullVisibility, type Visibility } from "./visibility";

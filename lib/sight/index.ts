/** Which of the opened folders whoever asks may know of. This file is the only entrance, but for the server that says who asks. */
export { findShown, registerShown, type Shown } from "./shown";
export { getSight, nameSight, runWithFullSight, type Sight } from "./sight";

/** Which of the opened folders whoever asks may know of. This file is the only entrance, but for the server that says who asks. */
export { findShown, registerShown, type Shown, type ShownJob } from "./shown";
export { getSight, nameSight, runWithFullSight, runWithSight, type Sight } from "./sight";

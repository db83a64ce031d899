/** Only the server, which identifies the caller, may import other files of this folder. */
export { findShown, registerShown, type Shown } from "./shown";
export { getSight, nameSight, runWithFullSight, type Sight } from "./visibility";

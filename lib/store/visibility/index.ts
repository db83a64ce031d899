/** Only the server, which identifies the caller, may import other files of this folder. */
export {
  type Shown,
  type Visibility,
  findShown,
  getVisibility,
  nameVisibility,
  registerShown,
  runWithFullVisibility,
} from "./visibility";

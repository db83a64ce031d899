import { createAddress } from "./address";
import { text } from "./values";

/** The address of the load report. */
export const loadReportAddress = createAddress({ text }, { text: "q" });

import type { Route } from "next";
import type { ComponentProps } from "react";

import { ListFacet } from "./facet-menu";

/** Names of values that are lists of words. */
export type ListName<Params> = {
  [Name in keyof Params]: Params[Name] extends readonly string[] ? Name : never;
}[keyof Params];

/** Returns a function that draws the menu of one list of `params`. */
export function facetsOf<Params extends object>(params: Params, hrefOf: (change: Partial<Params>) => Route) {
  return <Value extends string>(
    label: string,
    name: ListName<Params>,
    values: ComponentProps<typeof ListFacet<Value>>["values"],
    wordFor?: ComponentProps<typeof ListFacet<Value>>["wordFor"],
  ) => (
    <ListFacet
      label={label}
      values={values}
      chosen={params[name] as readonly string[]} // By the type of `name`.
      hrefOf={(chosen) => hrefOf({ [name]: chosen } as Partial<Params>)} // An address drops unknown values.
      wordFor={wordFor}
    />
  );
}

/** A task with the shape in which its verifier writes details.json. */
export interface DesignTask {
  readonly task: string;
  readonly ask: string;
  readonly fields: readonly string[];
  readonly evidence: readonly (readonly [good: string, poor: string])[];
  readonly shape: "rows" | "rubric" | "flat" | "rooms" | "gates";
}

/** The tasks of the job, one for each shape. */
export const TASKS: readonly DesignTask[] = [
  {
    task: "voltage-drop-submain",
    shape: "flat",
    ask: "Compute the voltage drop of the submain SM-2 (95 mm2 Cu, 84 m, 140 A, 0.9 lagging) in volts and in per cent of 400 V, and say whether 2.5 % is kept.",
    fields: ["voltage_drop_v", "voltage_drop_pct", "compliance"],
    evidence: [
      ["7.31 V", "4.22 V (single-phase factor)"],
      ["1.83 %", "1.05 %"],
      ["complies", "complies"],
    ],
  },
  {
    task: "voltage-drop-lighting",
    shape: "rows",
    ask: "Check the three lighting circuits of DB-L1 for voltage drop at the last luminaire, with the load distributed along the run.",
    fields: ["circuit_l1", "circuit_l2", "circuit_l3", "method"],
    evidence: [
      ["3.9 V, reference 3.9 V", "6.1 V, reference 3.9 V"],
      ["5.2 V, reference 5.1 V", "9.8 V, reference 5.1 V"],
      ["2.7 V, reference 2.7 V", "2.7 V, reference 2.7 V"],
      ["Load taken as distributed along the run.", "The whole load is taken at the far end."],
    ],
  },
  {
    task: "title-block-review",
    shape: "rubric",
    ask: "Review drawings E-101 to E-112: title blocks, revisions and sheet names against the register. List what is wrong and what to do about it.",
    fields: ["sheet_names", "revisions", "actionability"],
    evidence: [
      ["All 12 sheet names compared with the register.", "Nine of 12 sheets compared."],
      ["E-104 and E-109 found behind the register.", "E-109 missed."],
      [
        "Each finding names the sheet, the field and the correction.",
        'Findings say "check the title block".',
      ],
    ],
  },
  {
    task: "lux-schedule-rooms",
    shape: "rooms",
    ask: "Fill in the lighting schedule of level 8: luminaires, mean illuminance and uniformity for each room.",
    fields: ["luminaires", "mean_lux", "uniformity"],
    evidence: [
      ["", ""],
      ["", ""],
      ["", ""],
    ],
  },
  {
    task: "cable-schedule-gates",
    shape: "gates",
    ask: "Complete the cable schedule of the plant room. Every cable needs a size, a protective device and a check of the fault loop; the schedule must open in the office's template.",
    fields: ["opens_in_template", "every_cable_sized", "device_matches_size", "fault_loop_checked"],
    evidence: [
      ["opens", "opens"],
      ["31 of 31", "28 of 31"],
      ["31 of 31", "26 of 31"],
      ["31 of 31", "0 of 31"],
    ],
  },
];

/** Finished trials of one agent and model at one task of a job, of which it is known whether they passed. */
export interface Cell {
  readonly jobRowId: number;
  readonly agentModel: string;
  /** See {@link nameTask}. */
  readonly task: string;
  readonly taskName: string;
  /** Id of the dataset, see `nameDataset`. */
  readonly dataset: string;
  readonly nTrials: number;
  /** Their rewards together, each between 0 and 1, a missing one as 0. */
  readonly reward: number;
}

/** Trials and rewards of a job added up by agent and task. */
export class CellSums {
  private readonly cells = new Map<string, { -readonly [K in keyof Cell]: Cell[K] }>();
  private readonly jobRowId: number;

  constructor(jobRowId: number) {
    this.jobRowId = jobRowId;
  }

  add(one: Pick<Cell, "agentModel" | "task" | "taskName" | "dataset">, nTrials: number, reward: number) {
    const { agentModel, task, taskName, dataset } = one;
    const { jobRowId } = this;
    const name = JSON.stringify([agentModel, task, dataset]);
    const cell = this.cells.get(name) ?? {
      jobRowId,
      agentModel,
      task,
      taskName,
      dataset,
      nTrials: 0,
      reward: 0,
    };
    cell.nTrials += nTrials;
    cell.reward += reward;
    this.cells.set(name, cell);
  }

  list(): readonly Cell[] {
    return [...this.cells.values()];
  }
}

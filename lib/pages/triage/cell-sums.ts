/** Finished trials of one agent and model at one task of a job, if their verdict is known. */
export interface Cell {
  readonly jobRowId: number;
  readonly agentModel: string;
  /** See {@link nameTask}. */
  readonly task: string;
  readonly taskName: string;
  readonly dataset: string;
  readonly nTrials: number;
  /** Sum of rewards, each from 0 to 1; a missing one counts as 0. */
  readonly reward: number;
}

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

import {
  AliasNode,
  AndNode,
  type DeleteQueryNode,
  FromNode,
  IdentifierNode,
  type JoinNode,
  type Kysely,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  ParensNode,
  type PluginTransformQueryArgs,
  type QueryResult,
  type RawBuilder,
  type RawNode,
  type RootOperationNode,
  type SelectQueryNode,
  sql,
  type SqlBool,
  TableNode,
  type UnknownRow,
  type UpdateQueryNode,
  WhereNode,
} from "kysely";

/** Conditions for visible rows by table; null for all rows. Called for every statement. */
export type RowLimits<Tables> = () => Readonly<Record<keyof Tables, RawBuilder<SqlBool> | null>>;

/**
 * Hides some rows from all reads, updates and deletes of the database or transaction. Inserts are not limited. Statements fail for
 * tables without an entry in the limits, and for limited tables in raw SQL.
 */
export function limitRows<Tables>(db: Kysely<Tables>, limits: RowLimits<Tables>): Kysely<Tables> {
  return db.withPlugin(new LimitPlugin(limits));
}

class LimitPlugin implements KyselyPlugin {
  private readonly limits: RowLimits<Readonly<Record<string, unknown>>>;

  constructor(limits: RowLimits<Readonly<Record<string, unknown>>>) {
    this.limits = limits;
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return new LimitTransformer(this.limits()).transformNode(node);
  }

  transformResult({
    result,
  }: {
    readonly result: QueryResult<UnknownRow>;
  }): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result);
  }
}

/** Limited tables by alias. Limits can be nested, and a subquery is visited again with its query. */
const limited = new WeakMap<OperationNode, string>();

class LimitTransformer extends OperationNodeTransformer {
  private readonly limits: ReturnType<RowLimits<Readonly<Record<string, unknown>>>>;

  constructor(limits: ReturnType<RowLimits<Readonly<Record<string, unknown>>>>) {
    super();
    this.limits = limits;
  }

  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    const made = super.transformSelectQuery(node);
    return {
      ...made,
      ...(made.from === undefined
        ? {}
        : { from: FromNode.create(made.from.froms.map((one) => this.limit(one))) }),
      ...(made.joins === undefined
        ? {}
        : {
            joins: made.joins.map((join) => ({ ...join, table: this.limit(join.table) }) satisfies JoinNode),
          }),
    };
  }

  protected override transformUpdateQuery(node: UpdateQueryNode): UpdateQueryNode {
    const made = super.transformUpdateQuery(node);
    return { ...made, ...this.limitChange(made.table, made.where) };
  }

  protected override transformDeleteQuery(node: DeleteQueryNode): DeleteQueryNode {
    const made = super.transformDeleteQuery(node);
    return { ...made, ...this.limitChange(made.from.froms[0], made.where) };
  }

  protected override transformRaw(node: RawNode): RawNode {
    if (limited.has(node)) return node;
    if (node.parameters.some((part) => TableNode.is(part)))
      throw new Error("A table in raw SQL would show hidden rows.");
    return super.transformRaw(node);
  }

  private limit(from: OperationNode): OperationNode {
    const table = AliasNode.is(from) ? from.node : from;
    const name = TableNode.is(table) ? table.table.identifier.name : limited.get(table);
    if (name === undefined) return from;
    const condition = this.find(name);
    if (condition === null) return from;
    const source = { toOperationNode: () => table, expressionType: undefined };
    const alias = TableNode.is(table) ? sql`` : sql` as ${sql.ref(name)}`;
    const rows = sql`(select * from ${source}${alias} where ${condition})`.toOperationNode();
    limited.set(rows, name);
    return AliasNode.create(rows, AliasNode.is(from) ? from.alias : IdentifierNode.create(name));
  }

  private limitChange(
    table: OperationNode | undefined,
    where: WhereNode | undefined,
  ): { readonly where?: WhereNode } {
    if (table === undefined || !TableNode.is(table)) throw new Error("The changed table is not declared.");
    const condition = this.find(table.table.identifier.name)?.toOperationNode();
    if (condition === undefined) return {};
    return {
      where: WhereNode.create(
        where === undefined ? condition : AndNode.create(ParensNode.create(where.where), condition),
      ),
    };
  }

  private find(table: string): RawBuilder<SqlBool> | null {
    const condition = this.limits[table];
    if (condition === undefined) throw new Error(`The table ${table} has no visibility rule.`);
    return condition;
  }
}

/** Takes any number of values on either engine. */
export function isNoneOf(
  engine: "sqlite" | "postgres",
  column: string,
  values: readonly number[] | readonly string[],
): RawBuilder<SqlBool> {
  if (values.length === 0) return sql<SqlBool>`(1 = 1)`;
  const ref = sql.ref(column);
  return engine === "sqlite"
    ? sql<SqlBool>`(${ref} not in (select value from json_each(${JSON.stringify(values)})))`
    : sql<SqlBool>`(${ref} <> all(${sql.val(values)}))`;
}

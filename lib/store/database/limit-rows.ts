import {
  AliasNode,
  AndNode,
  type DeleteQueryNode,
  FromNode,
  type Kysely,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  ParensNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  QueryNode,
  type RawBuilder,
  type RawNode,
  type RootOperationNode,
  SelectionNode,
  SelectQueryNode,
  sql,
  type SqlBool,
  TableNode,
  type UpdateQueryNode,
  WhereNode,
} from "kysely";

import { toColumnText } from "./insert-rows";
import type { OpenDatabase } from "./open-database";

/** Conditions for visible rows by table; null for all rows. Called for every statement. */
export type RowLimits<Tables> = () => Readonly<Record<keyof Tables, RawBuilder<SqlBool> | null>>;

/**
 * Hides some rows from all reads, updates and deletes of the database or transaction. Inserts are not limited. Statements fail for
 * tables without an entry in the limits, and for limited tables in raw SQL.
 */
export function limitRows<Tables>(db: Kysely<Tables>, limits: RowLimits<Tables>): Kysely<Tables> {
  return db.withPlugin(new LimitPlugin(limits));
}

type AnyLimits = RowLimits<Readonly<Record<string, unknown>>>;

class LimitPlugin implements KyselyPlugin {
  private readonly limits: AnyLimits;

  constructor(limits: AnyLimits) {
    this.limits = limits;
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return new LimitTransformer(this.limits()).transformNode(node);
  }

  transformResult({ result }: PluginTransformResultArgs) {
    return Promise.resolve(result);
  }
}

class LimitTransformer extends OperationNodeTransformer {
  private readonly limits: ReturnType<AnyLimits>;

  constructor(limits: ReturnType<AnyLimits>) {
    super();
    this.limits = limits;
  }

  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    const made = super.transformSelectQuery(node);
    return {
      ...made,
      ...(made.from && { from: FromNode.create(made.from.froms.map((one) => this.limit(one))) }),
      ...(made.joins && { joins: made.joins.map((join) => ({ ...join, table: this.limit(join.table) })) }),
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
    if (node.parameters.some((part) => TableNode.is(part)))
      throw new Error("A table in raw SQL would show hidden rows.");
    return super.transformRaw(node);
  }

  /** Limits can be nested: the query in place of a table has the table, which another limit replaces. */
  private limit(from: OperationNode): OperationNode {
    const table = AliasNode.is(from) ? from.node : from;
    if (!TableNode.is(table)) return from;
    const condition = this.find(table);
    if (condition === null) return from;
    const all = [SelectionNode.createSelectAll()];
    const rows = SelectQueryNode.cloneWithSelections(SelectQueryNode.createFrom([table]), all);
    const alias = AliasNode.is(from) ? from.alias : table.table.identifier;
    return AliasNode.create(QueryNode.cloneWithWhere(rows, condition.toOperationNode()), alias);
  }

  private limitChange(table: OperationNode | undefined, where: WhereNode | undefined) {
    if (table === undefined || !TableNode.is(table)) throw new Error("The changed table is not declared.");
    const condition = this.find(table)?.toOperationNode();
    if (condition === undefined) return {};
    const all = where === undefined ? condition : AndNode.create(ParensNode.create(where.where), condition);
    return { where: WhereNode.create(all) };
  }

  private find(table: TableNode): RawBuilder<SqlBool> | null {
    const { name } = table.table.identifier;
    const condition = this.limits[name];
    if (condition === undefined) throw new Error(`The table ${name} has no visibility rule.`);
    return condition;
  }
}

/**
 * Matches any number of values. They travel as one parameter: a statement takes 32,766 on SQLite and 65,535 on PostgreSQL, and a
 * figure may have more trials.
 */
export function isAmong(
  { engine }: Pick<OpenDatabase<unknown>, "engine">,
  column: string,
  values: Iterable<string> | Iterable<number>,
) {
  const list = Array.from<string | number, string | number>(values, (value) =>
    typeof value === "string" ? toColumnText(value) : value,
  );
  const ref = sql.ref(column);
  return engine === "sqlite"
    ? sql<SqlBool>`(${ref} in (select value from json_each(${JSON.stringify(list)})))`
    : sql<SqlBool>`(${ref} = any(${sql.val(list)}))`;
}

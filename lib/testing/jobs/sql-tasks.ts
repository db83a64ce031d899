/** One task of the sql-repair benchmark: a query that is wrong in one way. */
export interface SqlTask {
  readonly task: string;
  readonly fault: string;
  readonly wrong: string;
  readonly right: string;
  readonly before: string;
  readonly after: string;
}

/** The tasks of sql-repair, invented. */
export const SQL_TASKS: readonly SqlTask[] = [
  {
    task: "join-fanout-revenue",
    fault: "Revenue is counted once per shipment instead of once per order.",
    wrong: "select o.region, sum(o.total)\nfrom orders o join shipments s on s.order_id = o.id\ngroup by 1;",
    right:
      "select o.region, sum(o.total)\nfrom orders o\nwhere exists (select 1 from shipments s where s.order_id = o.id)\ngroup by 1;",
    before: " region |    sum\n--------+-----------\n north  | 1904112.40\n south  |  988201.15",
    after: " region |    sum\n--------+-----------\n north  |  812340.10\n south  |  470115.90",
  },
  {
    task: "window-frame-last-value",
    fault: "last_value() returns the current row, because the default frame ends there.",
    wrong: "select id, last_value(state) over (partition by ticket order by at) from event;",
    right:
      "select id, last_value(state) over (partition by ticket order by at\n  rows between unbounded preceding and unbounded following) from event;",
    before: " id | last_value\n----+------------\n  1 | open\n  2 | assigned",
    after: " id | last_value\n----+------------\n  1 | closed\n  2 | closed",
  },
  {
    task: "nullable-anti-join",
    fault: "NOT IN gives no rows as soon as the subquery holds one NULL.",
    wrong: "select c.id from customer c\nwhere c.id not in (select customer_id from invoice);",
    right:
      "select c.id from customer c\nwhere not exists (select 1 from invoice i where i.customer_id = c.id);",
    before: " id\n----\n(0 rows)",
    after: " id\n-----\n 1204\n 1377\n(2 rows)",
  },
  {
    task: "day-bucket-timezone",
    fault: "Days are cut at UTC midnight while the shop is in Adelaide.",
    wrong: "select date_trunc('day', sold_at) d, count(*) from sale group by 1;",
    right:
      "select date_trunc('day', sold_at at time zone 'Australia/Adelaide') d, count(*)\nfrom sale group by 1;",
    before: "          d          | count\n---------------------+-------\n 2026-10-03 00:00:00 |   412",
    after: "          d          | count\n---------------------+-------\n 2026-10-03 00:00:00 |   377",
  },
  {
    task: "recursive-cycle-guard",
    fault: "The parts list of a pump refers to itself and the query never ends.",
    wrong:
      "with recursive bom(part) as (\n  select 'P-100' union all\n  select c.child from bom b join component c on c.parent = b.part)\nselect * from bom;",
    right:
      "with recursive bom(part) as (\n  select 'P-100' union all\n  select c.child from bom b join component c on c.parent = b.part)\n  cycle part set looped using path\nselect part from bom where not looped;",
    before: "ERROR:  canceling statement due to statement timeout",
    after: " part\n-------\n P-100\n P-210\n P-214\n(3 rows)",
  },
  {
    task: "upsert-lost-update",
    fault: "Two tills add to the same stock row and one update is lost.",
    wrong: "update stock set qty = (select qty from stock where sku = $1) + $2\nwhere sku = $1;",
    right:
      "insert into stock as s (sku, qty) values ($1, $2)\non conflict (sku) do update set qty = s.qty + excluded.qty;",
    before: "200 concurrent updates: 163 applied",
    after: "200 concurrent updates: 200 applied",
  },
];

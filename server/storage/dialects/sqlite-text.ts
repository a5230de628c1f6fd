import { CompiledQuery } from 'kysely'
import type { Queries } from '../database.ts'
import { executeCompiled } from '../prepare-query.ts'

type SqlValue = string | number

/** A piece of an SQL text with the values of its parameters. `Row` is the type of the rows that it returns. */
export class SqlText<Row = unknown> {
  constructor(
    readonly text: string,
    readonly values: readonly SqlValue[],
  ) {}

  execute(queries: Queries): Promise<Row[]> {
    return executeCompiled(queries, CompiledQuery.raw(this.text, [...this.values]) as CompiledQuery<Row>)
  }
}

/**
 * Creates an SQL text from a template with texts and values. Searches have too many forms to be prepared, and Kysely's `sql` would take a fifth of
 * the time of a search to compile one.
 */
export function sqlText<Row = unknown>(strings: TemplateStringsArray, ...sqlParts: readonly (SqlText | SqlValue)[]): SqlText<Row> {
  let joinedText = strings[0] ?? ''
  const sqlValues: SqlValue[] = []
  for (const [index, sqlPart] of sqlParts.entries()) {
    if (sqlPart instanceof SqlText) sqlValues.push(...sqlPart.values)
    else sqlValues.push(sqlPart)
    joinedText += (sqlPart instanceof SqlText ? sqlPart.text : '?') + (strings[index + 1] ?? '')
  }
  return new SqlText(joinedText, sqlValues)
}

/** Creates an SQL text without values. */
export const rawText = (text: string): SqlText => new SqlText(text, [])

/** Returns the conditions, joined by `and`. */
export const joinConditions = (conditions: readonly SqlText[]): SqlText =>
  new SqlText(
    conditions.map(({ text }) => text).join(' and '),
    conditions.flatMap(({ values }) => values),
  )

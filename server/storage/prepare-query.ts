import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Queries } from './database.ts'

class Placeholder {
  constructor(readonly name: string) {}
}

type Value = string | number | null
type Placeholders<P> = { [K in keyof P]: RawBuilder<P[K]> }

/**
 * Builds and compiles a frequent query once. `build` gets a placeholder for each parameter; the returned function executes the query with
 * the parameters' values, in a transaction if the transaction's `Queries` are passed.
 */
export function prepareQuery<P extends Record<string, Value>, R>(
  queries: Queries,
  names: readonly (keyof P & string)[],
  build: (placeholders: Placeholders<P>) => Compilable<R>,
): (values: P, transaction?: Queries) => Promise<R[]> {
  const placeholders = Object.fromEntries(names.map((name) => [name, sql`${new Placeholder(name)}`]))
  // `names` lists all keys of P, which Object.fromEntries does not infer.
  const compiledQuery: CompiledQuery<R> = build(placeholders as Placeholders<P>).compile()
  return async (values, transaction = queries) => {
    const parameters = compiledQuery.parameters.map((parameter) => (parameter instanceof Placeholder ? values[parameter.name] : parameter))
    const queryResult = await transaction.executeQuery<R>({ ...compiledQuery, parameters })
    return queryResult.rows
  }
}

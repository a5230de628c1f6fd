import { type Compilable, type CompiledQuery, type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Queries } from './database.ts'

type RunQuery = (query: CompiledQuery) => QueryResult<unknown>

/**
 * The functions that execute queries synchronously. Kysely passes a query through a dozen promises, which takes a third of the time of a short query.
 */
const synchronousRunners = new WeakMap<Queries, RunQuery>()

/** Makes prepared queries of a database without waiting times use this function. */
export function runAtOnce(queries: Queries, run: RunQuery): void {
  synchronousRunners.set(queries, run)
}

/** Executes a compiled query and returns its rows. */
export async function executeCompiled<R>(queries: Queries, query: CompiledQuery<R>): Promise<R[]> {
  const run = synchronousRunners.get(queries)
  // The cast is unavoidable, because Kysely does not check that rows have the declared types either.
  if (run !== undefined) return run(query).rows as R[]
  return (await queries.executeQuery<R>(query)).rows
}

class Placeholder {
  constructor(readonly name: string) {}
}

type Value = string | number | null
type Placeholders<P> = { [K in keyof P]: RawBuilder<P[K]> }

/**
 * Builds and compiles a frequent query once, at its first use. `build` gets a placeholder for each parameter; the returned function executes the query with
 * the parameters' values, in a transaction if the transaction's `Queries` are passed.
 */
export function prepareQuery<P extends Record<string, Value>, R>(
  queries: Queries,
  names: readonly (keyof P & string)[],
  build: (placeholders: Placeholders<P>) => Compilable<R>,
): (values: P, transaction?: Queries) => Promise<R[]> {
  const compile = (): CompiledQuery<R> => {
    const placeholders = Object.fromEntries(names.map((name) => [name, sql`${new Placeholder(name)}`]))
    // `names` lists all keys of P, which Object.fromEntries does not infer.
    return build(placeholders as Placeholders<P>).compile()
  }
  let compiledQuery: CompiledQuery<R> | undefined
  return async (values, transaction = queries) => {
    compiledQuery ??= compile()
    const parameters = compiledQuery.parameters.map((parameter) => (parameter instanceof Placeholder ? values[parameter.name] : parameter))
    return executeCompiled(transaction, { ...compiledQuery, parameters })
  }
}

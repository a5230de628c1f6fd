import { type Compilable, type CompiledQuery, type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Queries } from './database.ts'

type RunQuery = (query: CompiledQuery) => QueryResult<unknown>

/**
 * The functions that execute queries synchronously. Kysely passes a query through a dozen promises, which takes a third of the time of a short query.
 */
const runnerByQueries = new WeakMap<Queries, RunQuery>()

/** Makes the prepared queries of a database use `run`, which executes a query synchronously. */
export function setSynchronousRunner(queries: Queries, run: RunQuery): void {
  runnerByQueries.set(queries, run)
}

/** Executes a compiled query and returns its rows. */
export async function executeCompiled<R>(queries: Queries, compiledQuery: CompiledQuery<R>): Promise<R[]> {
  const runSynchronously = runnerByQueries.get(queries)
  // The cast is unavoidable, because Kysely does not check that rows have the declared types either.
  if (runSynchronously !== undefined) return runSynchronously(compiledQuery).rows as R[]
  return (await queries.executeQuery<R>(compiledQuery)).rows
}

class Placeholder {
  constructor(readonly name: string) {}
}

type ParameterValue = string | number | null
type Placeholders<P> = { [K in keyof P]: RawBuilder<P[K]> }

/**
 * Builds and compiles a frequent query once, at its first use. `buildQuery` gets a placeholder for each parameter; the returned function executes
 * the query with the parameters' values, in a transaction if the transaction's `Queries` are passed.
 */
export function prepareQuery<P extends Record<string, ParameterValue>, R>(
  queries: Queries,
  parameterNames: readonly (keyof P & string)[],
  buildQuery: (placeholders: Placeholders<P>) => Compilable<R>,
): (values: P, transaction?: Queries) => Promise<R[]> {
  const compileQuery = (): CompiledQuery<R> => {
    const placeholderByName = Object.fromEntries(parameterNames.map((name) => [name, sql`${new Placeholder(name)}`]))
    // `parameterNames` lists all keys of P, which Object.fromEntries does not infer.
    return buildQuery(placeholderByName as Placeholders<P>).compile()
  }
  let compiledQuery: CompiledQuery<R> | undefined
  return async (parameterValues, transaction = queries) => {
    compiledQuery ??= compileQuery()
    const boundParameters = compiledQuery.parameters.map((parameter) =>
      parameter instanceof Placeholder ? parameterValues[parameter.name] : parameter,
    )
    return executeCompiled(transaction, { ...compiledQuery, parameters: boundParameters })
  }
}

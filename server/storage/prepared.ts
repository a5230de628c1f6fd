import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Queries } from './database.ts'

class Slot {
  constructor(readonly name: string) {}
}

type Value = string | number | null
type Slots<P> = { [K in keyof P]: RawBuilder<P[K]> }

/**
 * A query that is built and compiled once, for what is asked on nearly every request. `build` gets a placeholder for each
 * parameter; the result runs the query with their values.
 */
export function prepared<P extends Record<string, Value>, R>(
  queries: Queries,
  names: readonly (keyof P & string)[],
  build: (slots: Slots<P>) => Compilable<R>,
): (values: P) => Promise<R[]> {
  const slots = Object.fromEntries(names.map((name) => [name, sql`${new Slot(name)}`]))
  // `names` lists the keys of P; Object.fromEntries cannot say so.
  const compiled: CompiledQuery<R> = build(slots as Slots<P>).compile()
  return async (values) => {
    const parameters = compiled.parameters.map((parameter) => (parameter instanceof Slot ? values[parameter.name] : parameter))
    const result = await queries.executeQuery<R>({ ...compiled, parameters })
    return result.rows
  }
}

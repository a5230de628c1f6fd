import type { Brand } from '../../brands/brand.ts'
import { brands } from '../../brands/registry.ts'
import type { Config } from '../config.ts'
import type { Storage } from '../storage/storage.ts'

/** The error of an invalid command line. Its message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface CommandInput {
  /** The arguments after the command's words, without options. */
  operands: readonly string[]
  brand?: string | undefined
  email?: string | undefined
  password?: string | undefined
  role?: string | undefined
  until?: string | undefined
  station?: string | undefined
}

/** The output of a command: text, and data for the option `--json`. */
export interface CommandOutput {
  text: string
  data: unknown
}

export interface Command {
  /** The words after `admin`, for instance `catalog import`. */
  commandWords: string
  /** The operands and options of the command, as the usage text shows them. */
  synopsis: string
  summary: string
  run: (input: CommandInput, storage: Storage, config: Config) => Promise<CommandOutput>
}

/** Returns the operands of a command line. @throws UsageError if there are fewer than `min` or more than `max` */
export function takeOperands({ operands }: CommandInput, min: number, max: number): readonly string[] {
  if (operands.length < min) throw new UsageError('Something is missing on the command line')
  if (operands.length > max) throw new UsageError(`'${toPrintable(operands[max] ?? '')}' is too much on the command line`)
  return operands
}

/** Returns user-supplied text on one line, with control characters replaced, so that it is safe in a terminal. */
export function toPrintable(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(/\p{Cc}|\p{Cf}/gu, '\uFFFD')
}

/** Returns the brand of the option `--brand`; undefined without it. @throws UsageError if there is no such brand */
export function brandOf({ brand: id }: CommandInput): Brand | undefined {
  if (id === undefined) return undefined
  const brand = brands.find((each) => each.id === id)
  if (brand === undefined)
    throw new UsageError(`There is no brand '${toPrintable(id)}'; the brands are ${brands.map((each) => each.id).join(', ')}`)
  return brand
}

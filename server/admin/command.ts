import type { Config } from '../config.ts'
import type { Storage } from '../storage/storage.ts'

/** The command line was wrong; the message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface CommandInput {
  /** What stands after the command's words, options aside. */
  operands: readonly string[]
  brand: string | undefined
  email?: string | undefined
  password?: string | undefined
  role?: string | undefined
  until?: string | undefined
}

/** What a command says: as text for people, as data for `--json`. */
export interface Answer {
  text: string
  data: unknown
}

export interface Command {
  /** The words after `admin`, for instance `catalog import`. */
  words: string
  /** The operands and options, as the usage shows them. */
  synopsis: string
  summary: string
  run: (input: CommandInput, storage: Storage, config: Config) => Promise<Answer>
}

/** The operands, where there are from `least` to `most` of them. @throws UsageError */
export function takeOperands({ operands }: CommandInput, least: number, most: number): readonly string[] {
  if (operands.length < least) throw new UsageError('Something is missing on the command line')
  if (operands.length > most) throw new UsageError(`'${printable(operands[most] ?? '')}' is too much on the command line`)
  return operands
}

/** `text` on one line and without characters that a terminal would act on: visitors wrote some of it. */
export function printable(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(/\p{Cc}|\p{Cf}/gu, '\uFFFD')
}

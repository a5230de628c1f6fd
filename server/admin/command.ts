import { userInfo } from 'node:os'
import type { Brand } from '../../brands/brand.ts'
import { brands } from '../../brands/registry.ts'
import type { Config } from '../config.ts'
import type { Storage } from '../storage/open.ts'

/** The error of a command that cannot be carried out. Its message is one line. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
}

/** The error of an invalid command line. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
}

/** A positional argument. Its name in the help text is its key in `Command.operands`, in capitals. */
export interface Operand {
  help: string
  optional?: true
}

/** An option. Its name after the two hyphens is its key in `Command.options`. */
export interface Option {
  /** The placeholder of the option's value in the help text. Without it, the option is a switch. */
  value?: string
  help: string
  required?: true
}

type Operands = Readonly<Record<string, Operand>>
type Options = Readonly<Record<string, Option>>

/** The values of a command line, as the operands and options of its command declare them. */
export type ArgumentsOf<P extends Operands, O extends Options> = {
  [K in keyof P]: P[K] extends { optional: true } ? string | undefined : string
} & { [K in keyof O]: O[K] extends { value: string } ? (O[K] extends { required: true } ? string : string | undefined) : boolean }

/** The output of a command: text, and data for the option `--json`. */
export interface CommandOutput {
  text: string
  data: unknown
  /**
   * The changed target, such as 'setting NAME', for the record of the action. Missing if nothing changed, or if the command records the action
   * itself.
   */
  changed?: string
  /** Whether the command has found a problem. If so, the program exits with the code of a failed command. */
  failed?: boolean
}

/** The context of a command for which the runner does not open the database: the command opens it itself, or does not need it. */
export interface StandaloneContext {
  config: Config
  /** Writes a line to standard error, such as the progress of a long command. */
  report: (line: string) => void
}

export interface CommandContext extends StandaloneContext {
  storage: Storage
}

interface CommandTexts {
  /** The words after `admin`, for instance `catalog import`. */
  words: string
  summary: string
  /** Further lines of the command's own help text. */
  details?: string
}

interface CommandOf<Context> extends CommandTexts {
  /** The operands in the order of the command line, with optional ones at the end. */
  operands: Operands
  options: Options
  // `run` is declared as a method, because method parameters are checked bivariantly: the `run` of a command, which has more specific arguments, is
  // assignable.
  run(args: Readonly<Record<string, string | boolean | undefined>>, context: Context): Promise<CommandOutput>
}

export type Command = ({ opensStorage: true } & CommandOf<CommandContext>) | ({ opensStorage: false } & CommandOf<StandaloneContext>)

interface CommandDeclaration<P extends Operands, O extends Options, Context> extends CommandTexts {
  operands?: P
  options?: O
  run: (args: ArgumentsOf<P, O>, context: Context) => Promise<CommandOutput>
}

/**
 * Defines a command. The argument types of `run` are derived from `operands` and `options`; the caller of `run` has checked the arguments against
 * them.
 */
export const defineCommand = <const P extends Operands = Record<never, never>, const O extends Options = Record<never, never>>({
  operands,
  options,
  ...commandFields
}: CommandDeclaration<P, O, CommandContext>): Command => ({
  ...commandFields,
  opensStorage: true,
  operands: operands ?? {},
  options: options ?? {},
})

/** Defines a command for which the runner does not open the database: the command opens it itself, or does not need it. */
export const defineStandaloneCommand = <const P extends Operands = Record<never, never>, const O extends Options = Record<never, never>>({
  operands,
  options,
  ...commandFields
}: CommandDeclaration<P, O, StandaloneContext>): Command => ({
  ...commandFields,
  opensStorage: false,
  operands: operands ?? {},
  options: options ?? {},
})

/** Returns the name of the person who runs the command: behind `sudo`, the one who called it. */
export function readCurrentUser(): string {
  try {
    return process.env.SUDO_USER ?? userInfo().username
  } catch {
    // The process runs under a uid that has no name.
    return `uid ${process.getuid?.() ?? '?'}`
  }
}

/** Returns user-supplied text on one line, with control characters replaced, so that it is safe in a terminal. */
export function toPrintable(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(/\p{Cc}|\p{Cf}/gu, '\uFFFD')
}

export const brandOption = { value: 'ID', help: `one brand: ${brands.map(({ id }) => id).join(' or ')}` } as const satisfies Option

/** Returns the brand of the option `--brand`; undefined without it. @throws UsageError if there is no such brand */
export function readBrandOption(brandId: string | undefined): Brand | undefined {
  if (brandId === undefined) return undefined
  const brand = brands.find((each) => each.id === brandId)
  if (brand === undefined)
    throw new UsageError(`There is no brand '${toPrintable(brandId)}'; the brands are ${brands.map((each) => each.id).join(', ')}`)
  return brand
}

import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../config.ts'
import { FileStoreError } from '../files/file-store.ts'
import { ImportError, StorageError } from '../storage/errors.ts'
import { openStorage } from '../storage/open.ts'
import {
  type Command,
  CommandError,
  type CommandOutput,
  readCurrentUser,
  type StandaloneContext,
  toPrintable,
  UsageError,
} from './command.ts'
import { commands } from './commands.ts'
import { formatCommandHelp, formatGroupHelp } from './help.ts'

/** The exit codes of the program. */
const FAILED_EXIT_CODE = 1
const USAGE_ERROR_EXIT_CODE = 2

/**
 * The prefix that marks an argument as a value, because the parser would read it as an option otherwise. No argument can contain this character.
 */
const VALUE_PREFIX = '\0'

const isHelpArgument = (arg: string) => arg === '--help' || arg === '-h'

/** Parses the arguments after a command's words. @throws UsageError if the command does not declare such arguments */
function parseArguments({ words, operands, options }: Command, args: readonly string[]) {
  const parserOptions = Object.entries(options).map(
    ([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
  )
  const parseRawArguments = () => {
    try {
      return parseArgs({
        // No option has a short form. An argument that begins with a single hyphen is therefore a value, such as a negative number or a video id.
        args: args.map((arg) => (/^-[^-]/.test(arg) ? VALUE_PREFIX + arg : arg)),
        allowPositionals: true,
        options: { ...Object.fromEntries(parserOptions), json: { type: 'boolean' } },
      })
    } catch (error) {
      throw new UsageError(error instanceof Error ? toPrintable(error.message.split('. ', 1)[0] ?? '') : String(error))
    }
  }
  const { values, positionals } = parseRawArguments()
  const operandNames = Object.keys(operands)
  const surplusOperand = positionals[operandNames.length]
  if (surplusOperand !== undefined) throw new UsageError(`'${toPrintable(surplusOperand)}' is too much on the command line`)
  const { json = false, ...givenValues }: Record<string, string | boolean | undefined> = {
    ...Object.fromEntries(operandNames.map((name, index) => [name, positionals[index]])),
    ...values,
  }
  for (const [name, { optional }] of Object.entries(operands))
    if (optional !== true && givenValues[name] === undefined) throw new UsageError(`${name.toUpperCase()} is missing after '${words}'`)
  for (const [name, { value, required }] of Object.entries(options)) {
    if (required === true && givenValues[name] === undefined) throw new UsageError(`--${name} is missing`)
    if (value === undefined) givenValues[name] ??= false
  }
  for (const [name, value] of Object.entries(givenValues))
    if (typeof value === 'string') givenValues[name] = value.replace(VALUE_PREFIX, '')
  return { json, given: givenValues }
}

/** Finds the command whose words the arguments begin with. Returns the command and the remaining arguments. */
function findCommand(args: readonly string[]): { command: Command; commandArgs: readonly string[] } | undefined {
  for (const command of commands) {
    const count = command.words.split(' ').length
    if (args.slice(0, count).join(' ') === command.words) return { command, commandArgs: args.slice(count) }
  }
  return undefined
}

export interface RunOptions {
  env: Readonly<Record<string, string | undefined>>
  /** Writes a line to standard error while a command runs. */
  report?: (line: string) => void
  /** Sets the exit code of a command that has found a problem. */
  setExitCode?: (code: number) => void
}

async function runWithStorage(
  command: Command,
  givenValues: Parameters<Command['run']>[0],
  context: StandaloneContext,
): Promise<CommandOutput> {
  if (!command.opensStorage) return command.run(givenValues, context)
  const { dataDir, databaseUrl } = context.config
  const storage = await openStorage({ dataDir, databaseUrl })
  try {
    const commandOutput = await command.run(givenValues, { ...context, storage })
    const { changed: changedTarget } = commandOutput
    const act = { actor: readCurrentUser(), command: command.words, reason: '', atMs: Date.now() }
    if (changedTarget !== undefined) await storage.moderation.recordAction(act, { target: changedTarget, outcome: 'done' })
    return commandOutput
  } finally {
    await storage.close()
  }
}

/** Runs a command and returns its standard output. */
export async function runCommand(args: readonly string[], { env, report = () => {}, setExitCode = () => {} }: RunOptions): Promise<string> {
  const foundCommand = findCommand(args)
  if (foundCommand === undefined) {
    const [groupName = '', ...otherArgs] = args
    const isCommandGroup = commands.some(({ words }) => words.startsWith(`${groupName} `))
    if (isHelpArgument(groupName)) return formatGroupHelp()
    if (isCommandGroup && otherArgs.some(isHelpArgument)) return formatGroupHelp(groupName)
    const name = toPrintable(args.slice(0, 2).join(' '))
    const problem = groupName === '' || (isCommandGroup && otherArgs.length === 0) ? 'Which command?' : `There is no command '${name}'.`
    throw new UsageError(`${problem}\n\n${formatGroupHelp(isCommandGroup ? groupName : '')}`)
  }
  const { command, commandArgs } = foundCommand
  if (commandArgs.some(isHelpArgument)) return formatCommandHelp(command)
  const { json, given } = parseArguments(command, commandArgs)
  const { text, data, failed = false } = await runWithStorage(command, given, { config: readConfig(env), report })
  if (failed) setExitCode(FAILED_EXIT_CODE)
  return json === true ? JSON.stringify(data) : text
}

/** Returns the message of a failure for standard error, and the exit code of the program. */
export function describeFailure(error: unknown): { message: string; exitCode: number } {
  const errorText = error instanceof Error ? error.message : String(error)
  if (error instanceof UsageError) return { message: errorText, exitCode: USAGE_ERROR_EXIT_CODE }
  // Control characters in the message are replaced, because it may quote the imported file.
  if (error instanceof ImportError) return { message: toPrintable(errorText), exitCode: FAILED_EXIT_CODE }
  const isExpected = [CommandError, StorageError, ConfigError, FileStoreError].some((kind) => error instanceof kind)
  return { message: isExpected ? errorText : `Something went wrong: ${errorText.split('\n', 1)[0] ?? ''}`, exitCode: FAILED_EXIT_CODE }
}

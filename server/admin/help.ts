import type { Command } from './command.ts'
import { commands } from './commands.ts'

const COMMAND_PREFIX = 'npm run admin --'
const generalOptions: readonly (readonly [string, string])[] = [
  ['--json', 'print the answer as JSON'],
  ['-h, --help', 'print this text'],
]

const optionTerm = (name: string, value: string | undefined) => (value === undefined ? `--${name}` : `--${name} ${value}`)

/** Returns the operands and options of a command as its usage line shows them; optional ones are in brackets. */
function synopsisOf({ operands, options }: Command): string {
  const terms = [
    ...Object.entries(operands).map(([name, { optional }]) => ({ term: name.toUpperCase(), isOptional: optional === true })),
    ...Object.entries(options).map(([name, { value, required }]) => ({ term: optionTerm(name, value), isOptional: required !== true })),
  ]
  return terms.map(({ term, isOptional }) => (isOptional ? `[${term}]` : term)).join(' ')
}

/** Returns a table of two aligned columns: terms and their descriptions. */
function twoColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([term]) => term.length))
  return rows.map(([term, help]) => `  ${term.padEnd(width)}  ${help}`)
}

/** Returns the help text of the commands whose words begin with `group`, or of all commands if `group` is empty. */
export function helpOfGroup(group = ''): string {
  const listedCommands = commands.filter(({ words }) => group === '' || words.startsWith(`${group} `))
  return [
    `Usage: ${COMMAND_PREFIX} ${group === '' ? '' : `${group} `}COMMAND [OPTIONS]`,
    '',
    ...twoColumns(listedCommands.map(({ words, summary }) => [words, summary])),
    '',
    `'${COMMAND_PREFIX} COMMAND --help' describes a command.`,
    'DATA_DIR, DATABASE_URL and the other settings are read as the server reads them. The server may run meanwhile: it follows within a second.',
  ].join('\n')
}

export function helpOfCommand(command: Command): string {
  const { words, summary, details, operands, options } = command
  const rows: (readonly [string, string])[] = [
    ...Object.entries(operands).map(([name, { help }]) => [name.toUpperCase(), help] as const),
    ...Object.entries(options).map(([name, { value, help }]) => [optionTerm(name, value), help] as const),
    ...generalOptions,
  ]
  const usage = [COMMAND_PREFIX, words, synopsisOf(command)].filter((part) => part !== '').join(' ')
  return [`Usage: ${usage}`, '', summary, ...(details === undefined ? [] : [details]), '', ...twoColumns(rows)].join('\n')
}

import type { Command } from './command.ts'
import { commands } from './commands.ts'

const COMMAND_PREFIX = 'npm run admin --'
const generalOptions: readonly (readonly [string, string])[] = [
  ['--json', 'print the answer as JSON'],
  ['-h, --help', 'print this text'],
]

const formatOption = (name: string, value: string | undefined) => (value === undefined ? `--${name}` : `--${name} ${value}`)

/** Returns the operands and options of a command as its usage line shows them; optional ones are in brackets. */
function formatSynopsis({ operands, options }: Command): string {
  const helpTerms = [
    ...Object.entries(operands).map(([name, { optional }]) => ({ term: name.toUpperCase(), isOptional: optional === true })),
    ...Object.entries(options).map(([name, { value, required }]) => ({ term: formatOption(name, value), isOptional: required !== true })),
  ]
  return helpTerms.map(({ term, isOptional }) => (isOptional ? `[${term}]` : term)).join(' ')
}

/** Returns a table of two aligned columns: terms and their descriptions. */
function formatTwoColumns(helpRows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...helpRows.map(([term]) => term.length))
  return helpRows.map(([term, help]) => `  ${term.padEnd(width)}  ${help}`)
}

/** Returns the help text of the commands whose words begin with `groupName`, or of all commands if `groupName` is empty. */
export function formatGroupHelp(groupName = ''): string {
  const listedCommands = commands.filter(({ words }) => groupName === '' || words.startsWith(`${groupName} `))
  return [
    `Usage: ${COMMAND_PREFIX} ${groupName === '' ? '' : `${groupName} `}COMMAND [OPTIONS]`,
    '',
    ...formatTwoColumns(listedCommands.map(({ words, summary }) => [words, summary])),
    '',
    `'${COMMAND_PREFIX} COMMAND --help' describes a command.`,
    'DATA_DIR, DATABASE_URL and the other settings are read as the server reads them. The server may run meanwhile: it follows within a second.',
  ].join('\n')
}

export function formatCommandHelp(command: Command): string {
  const { words, summary, details, operands, options } = command
  const optionRows: (readonly [string, string])[] = [
    ...Object.entries(operands).map(([name, { help }]) => [name.toUpperCase(), help] as const),
    ...Object.entries(options).map(([name, { value, help }]) => [formatOption(name, value), help] as const),
    ...generalOptions,
  ]
  const usage = [COMMAND_PREFIX, words, formatSynopsis(command)].filter((part) => part !== '').join(' ')
  return [`Usage: ${usage}`, '', summary, ...(details === undefined ? [] : [details]), '', ...formatTwoColumns(optionRows)].join('\n')
}

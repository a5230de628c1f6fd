import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../config.ts'
import { StorageError } from '../storage/errors.ts'
import { openStorage } from '../storage/open.ts'
import { ImportError } from '../storage/storage.ts'
import { catalogImport, catalogListUnplayable } from './catalog-commands.ts'
import { type Command, printable, UsageError } from './command.ts'
import { contactList } from './contact-commands.ts'
import { databaseRestored } from './database-commands.ts'
import { settingsGet, settingsSet } from './settings-commands.ts'
import { userCreate, userDelete, userDisable, userEnable, userGrant, userList, userRevoke } from './user-commands.ts'

const commands: readonly Command[] = [
  ...[catalogImport, catalogListUnplayable],
  ...[userCreate, userGrant, userRevoke, userDisable, userEnable, userDelete, userList],
  ...[settingsGet, settingsSet, contactList, databaseRestored],
]

const text = { type: 'string' } as const

const usage = [
  'Usage: npm run admin -- COMMAND [--json]',
  '',
  ...commands.map((command) => `  ${`${command.words} ${command.synopsis}`.trim()}\n      ${command.summary}`),
  '',
  'It reads DATA_DIR and DATABASE_URL like the server, works while that runs, and takes effect there within a second.',
].join('\n')

/** A negative number is a value, not an option: it is hidden from the parser behind a character that no argument can hold. */
const HIDE = '\0'

function parse(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: args.map((arg) => (/^-[\d.]/.test(arg) ? HIDE + arg : arg)),
      allowPositionals: true,
      options: {
        ...{ json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
        ...{ brand: text, email: text, password: text, role: text, until: text },
      },
    })
    return { values, positionals: positionals.map((each) => each.replace(HIDE, '')) }
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ', 1)[0] ?? '') : String(error))
  }
}

/** Runs one command and gives what goes to standard output. */
export async function runCommand(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const { values, positionals } = parse(args)
  if (values.help === true) return usage
  const command = commands.find((each) => each.words === positionals.slice(0, 2).join(' '))
  if (command === undefined) {
    const asked = printable(positionals.slice(0, 2).join(' '))
    throw new UsageError(`${asked === '' ? 'Which command?' : `There is no command '${asked}'.`}\n${usage}`)
  }
  const config = readConfig(env)
  const storage = await openStorage({ dataDir: config.dataDir, databaseUrl: config.databaseUrl })
  try {
    const { brand, email, password, role, until } = values
    const { text, data } = await command.run({ operands: positionals.slice(2), brand, email, password, role, until }, storage, config)
    return values.json === true ? JSON.stringify(data) : text
  } finally {
    await storage.close()
  }
}

/** What standard error says of a failure. */
export function failureText(error: unknown): string {
  const forPeople = [UsageError, ImportError, StorageError, ConfigError].some((kind) => error instanceof kind)
  const message = error instanceof Error ? error.message : String(error)
  // A file's own words may stand in it.
  if (error instanceof ImportError) return printable(message)
  return forPeople ? message : `Something went wrong: ${message.split('\n', 1)[0] ?? ''}`
}

import { parseArgs } from 'node:util'
import { parseVideoId } from '../../contract/youtube.ts'
import { ConfigError, readConfig } from '../config.ts'
import { ImportError, StorageError } from '../storage/errors.ts'
import { openStorage } from '../storage/open.ts'
import { catalogImport, catalogListUnplayable, catalogRestoreSong } from './catalog-commands.ts'
import { type Command, toPrintable, UsageError } from './command.ts'
import { contactList } from './contact-commands.ts'
import { databaseRestored } from './database-commands.ts'
import { feedAdd } from './feed-commands.ts'
import { radioSkip } from './radio-commands.ts'
import { settingsGet, settingsSet } from './settings-commands.ts'
import { userCreate, userDelete, userDisable, userEnable, userGrant, userList, userRevoke } from './user-commands.ts'

const commands: readonly Command[] = [
  catalogImport,
  catalogListUnplayable,
  catalogRestoreSong,
  userCreate,
  userGrant,
  userRevoke,
  userDisable,
  userEnable,
  userDelete,
  userList,
  settingsGet,
  settingsSet,
  contactList,
  feedAdd,
  radioSkip,
  databaseRestored,
]

const stringOption = { type: 'string' } as const

const usageText = [
  'Usage: npm run admin -- COMMAND [--json]',
  '',
  ...commands.map((command) => `  ${`${command.commandWords} ${command.synopsis}`.trim()}\n      ${command.summary}`),
  '',
  'It reads DATA_DIR and DATABASE_URL like the server, works while that runs, and takes effect there within a second.',
].join('\n')

/** This prefix keeps the parser from reading a negative number or a video id as an option. No argument can contain this character. */
const NEGATIVE_PREFIX = '\0'

function parseCommandLine(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: args.map((arg) =>
        /^-[\d.]/.test(arg) || (/^-[^-]/.test(arg) && parseVideoId(arg) !== undefined) ? NEGATIVE_PREFIX + arg : arg,
      ),
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        brand: stringOption,
        email: stringOption,
        password: stringOption,
        role: stringOption,
        until: stringOption,
        station: stringOption,
      },
    })
    return { values, positionals: positionals.map((each) => each.replace(NEGATIVE_PREFIX, '')) }
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ', 1)[0] ?? '') : String(error))
  }
}

/** Runs a command and returns its standard output. */
export async function runCommand(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const { values, positionals } = parseCommandLine(args)
  if (values.help === true) return usageText
  const command = commands.find((each) => each.commandWords === positionals.slice(0, 2).join(' '))
  if (command === undefined) {
    const commandName = toPrintable(positionals.slice(0, 2).join(' '))
    throw new UsageError(`${commandName === '' ? 'Which command?' : `There is no command '${commandName}'.`}\n${usageText}`)
  }
  const config = readConfig(env)
  const storage = await openStorage({ dataDir: config.dataDir, databaseUrl: config.databaseUrl })
  try {
    const { json, help: _help, ...options } = values
    const { text, data } = await command.run({ operands: positionals.slice(2), ...options }, storage, config)
    return json === true ? JSON.stringify(data) : text
  } finally {
    await storage.close()
  }
}

/** Returns the message of a failure for standard error. */
export function failureText(error: unknown): string {
  const isExpected = [UsageError, ImportError, StorageError, ConfigError].some((kind) => error instanceof kind)
  const message = error instanceof Error ? error.message : String(error)
  // Control characters are replaced, because the message may quote the imported file.
  if (error instanceof ImportError) return toPrintable(message)
  return isExpected ? message : `Something went wrong: ${message.split('\n', 1)[0] ?? ''}`
}

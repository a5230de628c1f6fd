import { userCreate, userDelete, userDisable, userEnable, userGrant, userList, userRevoke } from '../account/commands.ts'
import { catalogImport, catalogListUnplayable, catalogRestoreSong, feedAdd } from '../catalogue/commands.ts'
import { contactList } from '../contact/commands.ts'
import { radioSkip } from '../radio/commands.ts'
import { settingsGet, settingsSet } from '../site/commands.ts'
import type { Command } from './command.ts'
import { backup, check, markDatabaseRestored, moveTo, restore } from './database-commands.ts'
import { catalogImportYoutube } from './youtube-commands.ts'

/** All commands, in the order of the help text. */
export const commands: readonly Command[] = [
  catalogImport,
  catalogImportYoutube,
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
  backup,
  restore,
  check,
  moveTo,
  markDatabaseRestored,
]

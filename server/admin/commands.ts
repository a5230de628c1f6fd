import { backup, check, moveTo, restore } from './backup-commands.ts'
import { catalogImport, catalogListUnplayable, catalogRestoreSong } from './catalog-commands.ts'
import type { Command } from './command.ts'
import { contactList } from './contact-commands.ts'
import { databaseRestored } from './database-commands.ts'
import { feedAdd } from './feed-commands.ts'
import { radioSkip } from './radio-commands.ts'
import { settingsGet, settingsSet } from './settings-commands.ts'
import { userCreate, userDelete, userDisable, userEnable, userGrant, userList, userRevoke } from './user-commands.ts'
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
  databaseRestored,
]

import {
  userCreateCommand,
  userDisableCommand,
  userEnableCommand,
  userGrantCommand,
  userListCommand,
  userRevokeCommand,
} from '../account/commands.ts'
import { catalogImportCommand, catalogListUnplayableCommand, catalogRestoreSongCommand, feedAddCommand } from '../catalogue/commands.ts'
import { contactListCommand } from '../contact/commands.ts'
import { doctorCommand } from '../doctor/commands.ts'
import {
  categoryRenameCommand,
  contactDeleteCommand,
  contentCommands,
  hiddenCommand,
  logCommand,
  reportsCloseCommand,
  reportsCommand,
  userChangeAddressCommand,
  userDeleteCommand,
  userSignOutCommand,
} from '../moderation/commands.ts'
import { pushKeyCommand } from '../push/commands.ts'
import { radioSkipCommand } from '../radio/commands.ts'
import { settingsGetCommand, settingsSetCommand } from '../site/commands.ts'
import { catalogSweepCommand } from '../sweep/commands.ts'
import type { Command } from './command.ts'
import { backupCommand, checkCommand, databaseRestoredCommand, moveToCommand, restoreCommand } from './database-commands.ts'
import { copyFilesCommand } from './files-commands.ts'
import { catalogImportYoutubeCommand } from './youtube-commands.ts'

/** All commands, in the order of the help text. */
export const commands: readonly Command[] = [
  catalogImportCommand,
  catalogImportYoutubeCommand,
  catalogListUnplayableCommand,
  catalogRestoreSongCommand,
  catalogSweepCommand,
  ...contentCommands,
  categoryRenameCommand,
  hiddenCommand,
  reportsCloseCommand,
  reportsCommand,
  logCommand,
  userCreateCommand,
  userGrantCommand,
  userRevokeCommand,
  userDisableCommand,
  userEnableCommand,
  userSignOutCommand,
  userChangeAddressCommand,
  userDeleteCommand,
  userListCommand,
  settingsGetCommand,
  settingsSetCommand,
  contactListCommand,
  contactDeleteCommand,
  feedAddCommand,
  radioSkipCommand,
  pushKeyCommand,
  backupCommand,
  restoreCommand,
  checkCommand,
  doctorCommand,
  moveToCommand,
  copyFilesCommand,
  databaseRestoredCommand,
]

import { type CommandContext, CommandError, toPrintable, UsageError } from '../admin/command.ts'
import { normaliseEmail } from '../identity/email-address.ts'
import { IdentityError } from '../identity/identity-error.ts'
import type { Account } from '../identity/store-account-rows.ts'

/** Returns the normalised email address of an option. @throws UsageError if the option's value is not an email address */
export function parseEmail(email: string, optionName = 'email'): string {
  try {
    return normaliseEmail(email)
  } catch (error) {
    if (error instanceof IdentityError) throw new UsageError(`--${optionName} must be an address, not '${toPrintable(email)}'`)
    throw error
  }
}

/** Finds the account of an email address. @throws CommandError if there is none, or if the accounts are those of a Firebase project */
export async function requireAccountOf(email: string, { storage, config: { firebase } }: CommandContext): Promise<Account> {
  if (firebase !== undefined)
    throw new CommandError(`Accounts are kept by the Firebase project ${firebase.projectId}: change them in its console`)
  const account = await storage.accounts.findByEmail(email)
  if (account === undefined) throw new CommandError(`There is no account of ${toPrintable(email)}`)
  return account
}

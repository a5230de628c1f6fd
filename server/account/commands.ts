import { memberRoles, type Role } from '../../contract/account.ts'
import { PASSWORD_MIN_LENGTH } from '../../contract/form-rules.ts'
import { CommandError, defineCommand, toPrintable, UsageError } from '../admin/command.ts'
import { DAY_MS } from '../durations.ts'
import { IdentityError } from '../identity/identity-error.ts'
import { checkPasswordPolicy, createPasswordHasher } from '../identity/passwords.ts'
import { createUid } from '../identity/secrets.ts'
import type { RoleGrant } from '../identity/store-roles.ts'
import type { Storage } from '../storage/open.ts'
import type { Pagination } from '../storage/pagination.ts'
import { parseEmail, requireAccountOf } from './account-of.ts'

const ROWS_PER_PAGE = 10_000

const toIsoTime = (ms: number) => new Date(ms).toISOString()

/** @throws UsageError if the password breaks the policy */
function requireValidPassword(password: string, email: string): void {
  try {
    checkPasswordPolicy(password, email)
  } catch (error) {
    if (error instanceof IdentityError) throw new UsageError(error.message.replace(/^\w+ : Password/, '--password'))
    throw error
  }
}

function parseRole(roleText: string): Role {
  const role = memberRoles.find((each) => each === roleText)
  if (role === undefined) throw new UsageError(`--role must be ${memberRoles.join(' or ')}, not '${toPrintable(roleText)}'`)
  return role
}

/** Parses `--until` to epoch milliseconds. A date without a time includes the whole day in UTC. */
function parseEndTime(endText: string): number {
  const isDateText = /^\d{4}-\d{2}-\d{2}$/.test(endText)
  const isTimeText = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.test(endText)
  const endMs = isDateText || isTimeText ? Date.parse(endText) : Number.NaN
  // Compares the parsed day with the text, because `Date.parse` reads 30 February as a day in March.
  if (Number.isNaN(endMs) || (isDateText && toIsoTime(endMs).slice(0, 10) !== endText))
    throw new UsageError(`--until must be a date such as 2026-12-31, or a time such as 2026-12-31T12:00:00Z, not '${toPrintable(endText)}'`)
  return isDateText ? endMs + DAY_MS : endMs
}

async function readAllRows<T>(readPage: (page: Pagination) => Promise<T[]>): Promise<T[]> {
  const allPages: T[] = []
  for (;;) {
    const page = await readPage({ limit: ROWS_PER_PAGE, offset: allPages.length })
    allPages.push(...page)
    if (page.length < ROWS_PER_PAGE) return allPages
  }
}

const toGrantData = ({ role, source, untilMs }: RoleGrant) => ({ role, source, until: untilMs === undefined ? null : toIsoTime(untilMs) })

/** Returns the target of an action on the account of an address, without the address, which the log does not keep. */
const findAccountTarget = async ({ accounts }: Storage, email: string) =>
  `account ${(await accounts.findByEmail(email))?.uid ?? 'not known here'}`

const emailOption = { value: 'E', help: 'the email address of the account', required: true } as const
const roleOption = { value: 'R', help: memberRoles.join(' or ') } as const
const requiredRoleOption = { ...roleOption, required: true } as const

export const userCreateCommand = defineCommand({
  words: 'user create',
  summary: 'Makes an account, where the server keeps the accounts itself.',
  options: {
    email: emailOption,
    password: {
      value: 'P',
      help: `at least ${PASSWORD_MIN_LENGTH} characters; the list of processes and the history of the shell show it`,
      required: true,
    },
    role: roleOption,
  },
  run: async ({ email: emailText, password, role: roleText }, { storage, config: { firebase } }) => {
    const email = parseEmail(emailText)
    requireValidPassword(password, email)
    const grantedRole = roleText === undefined ? undefined : parseRole(roleText)
    if (firebase !== undefined)
      throw new CommandError(`Accounts are kept by the Firebase project ${firebase.projectId}: make them in its console`)
    const uid = createUid()
    const passwordHash = await createPasswordHasher().hash(email, password)
    if (!(await storage.accounts.create({ uid, email, emailVerified: true, passwordHash, atMs: Date.now() })))
      throw new CommandError(`${toPrintable(email)} has an account already`)
    if (grantedRole !== undefined) await storage.roles.grant(email, { role: grantedRole, source: 'admin', untilMs: undefined })
    const roleSuffix = grantedRole === undefined ? '' : `, as ${grantedRole}`
    return {
      text: `${toPrintable(email)} has an account${roleSuffix}.`,
      data: { uid, email, roles: grantedRole === undefined ? [] : [grantedRole] },
      changed: `account ${uid}`,
    }
  },
})

export const userGrantCommand = defineCommand({
  words: 'user grant',
  summary: 'Gives a role to an address, which need not have signed up yet.',
  options: {
    email: emailOption,
    role: requiredRoleOption,
    until: { value: 'DATE', help: 'the last day (UTC) or the moment at which the role ends; without it, it does not end' },
  },
  run: async ({ email: emailText, role, until }, { storage }) => {
    const email = parseEmail(emailText)
    const grant: RoleGrant = { role: parseRole(role), source: 'admin', untilMs: until === undefined ? undefined : parseEndTime(until) }
    await storage.roles.grant(email, grant)
    const untilText = grant.untilMs === undefined ? '' : ` until ${toIsoTime(grant.untilMs)}`
    return {
      text: `${toPrintable(email)} is ${grant.role}${untilText}.`,
      data: { email, ...toGrantData(grant) },
      changed: await findAccountTarget(storage, email),
    }
  },
})

export const userRevokeCommand = defineCommand({
  words: 'user revoke',
  summary: "Takes away a role that 'user grant' gave; one that was paid for stays.",
  options: { email: emailOption, role: requiredRoleOption },
  run: async ({ email: emailText, role: roleText }, { storage }) => {
    const email = parseEmail(emailText)
    const parsedRole = parseRole(roleText)
    if (!(await storage.roles.revoke(email, parsedRole, 'admin')))
      throw new CommandError(`${toPrintable(email)} was not given the role ${parsedRole}`)
    return {
      text: `${toPrintable(email)} no longer has the role ${parsedRole} from this command.`,
      data: { email, role: parsedRole },
      changed: await findAccountTarget(storage, email),
    }
  },
})

const createSwitchCommand = (switchAction: 'disable' | 'enable', commandSummary: string) =>
  defineCommand({
    words: `user ${switchAction}`,
    summary: commandSummary,
    options: { email: emailOption },
    run: async ({ email }, context) => {
      const account = await requireAccountOf(parseEmail(email), context)
      const isDisabled = switchAction === 'disable'
      await context.storage.accounts.setDisabled(account.uid, isDisabled)
      return {
        text: `The account of ${toPrintable(account.email)} is ${switchAction}d.`,
        data: { uid: account.uid, email: account.email, disabled: isDisabled },
        changed: `account ${account.uid}`,
      }
    },
  })

export const userDisableCommand = createSwitchCommand('disable', 'Stops an account from logging in, and what it is logged in to, at once.')
export const userEnableCommand = createSwitchCommand('enable', 'Lets a disabled account log in again.')

export const userListCommand = defineCommand({
  words: 'user list',
  summary: 'Lists the accounts, oldest first, then the addresses that have a role but no account here.',
  run: async (_args, { storage }) => {
    const accounts = await readAllRows((page) => storage.accounts.list(page))
    const roleGrants = await readAllRows((page) => storage.roles.list(page))
    const grantsByEmail = new Map<string, ReturnType<typeof toGrantData>[]>()
    for (const grant of roleGrants) grantsByEmail.set(grant.email, [...(grantsByEmail.get(grant.email) ?? []), toGrantData(grant)])
    const accountRows = accounts.map(({ uid, email, emailVerified, disabled, createdMs, lastLoginMs }) => ({
      email,
      uid,
      created: toIsoTime(createdMs),
      last_login: toIsoTime(lastLoginMs),
      email_verified: emailVerified,
      disabled,
      roles: grantsByEmail.get(email) ?? [],
    }))
    const knownEmails = new Set(accounts.map((account) => account.email))
    const grantsWithoutAccount = [...grantsByEmail].flatMap(([email, roles]) => (knownEmails.has(email) ? [] : [{ email, roles }]))
    const formatRoles = (of: ReturnType<typeof toGrantData>[]) =>
      of.map(({ role, source, until }) => `${role} (${source}${until === null ? '' : `, until ${until}`})`).join(', ')
    const accountLines = [
      ...accountRows.map((grantRow) =>
        [
          toPrintable(grantRow.email),
          grantRow.uid,
          `created ${grantRow.created}`,
          `last log-in ${grantRow.last_login}`,
          grantRow.disabled ? 'disabled' : '',
          formatRoles(grantRow.roles),
        ]
          .filter((part) => part !== '')
          .join('  '),
      ),
      ...grantsWithoutAccount.map(({ email, roles }) => `${toPrintable(email)}  no account here  ${formatRoles(roles)}`),
    ]
    return { text: accountLines.length === 0 ? 'No accounts.' : accountLines.join('\n'), data: [...accountRows, ...grantsWithoutAccount] }
  },
})

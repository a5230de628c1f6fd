import { CommandError, toPrintable } from '../admin/command.ts'
import { DAY_MS } from '../durations.ts'
import { createSignature, formatSiteName, type MailContext } from '../identity/account-mails.ts'
import type { Storage } from '../storage/open.ts'
import type { Act, ActionEffects, ActionOutcome, ActionTarget, AdminAction, TargetKind } from './store-actions.ts'
import type { CatalogueItemKind } from './store-catalogue.ts'
import type { ComposeMail } from './store-owners.ts'
import type { Report } from './store-reports.ts'

/**
 * Returns the error of an action that cannot be taken. Its message is one line for the admin, in which control characters are replaced,
 * because it may quote what users have written.
 */
const createRefusal = (message: string) => new CommandError(toPrintable(message))

/**
 * The person who takes an action, the command, and the reason. With `isDryRun`, the action changes nothing, and returns the result that it would
 * have.
 */
export interface ModerationOrder {
  actor: string
  command: string
  reason: string
  isDryRun: boolean
}

/** The result of an action, or of its dry run. */
export interface ActionResult {
  dry_run: boolean
  target: string
  title: string
  /** The numbers of what the action affects, by kind, for instance playlists and favorites. */
  effects: ActionEffects
}

/** The kinds of targets that are hidden, shown and deleted. Content of an account has an owner, who is informed by mail. */
export type HideableKind = CatalogueItemKind | 'site' | 'list'

/** The time after which a mail to an owner is not sent any more. */
const OWNER_MAIL_LIFETIME_MS = 7 * DAY_MS

const locationTextByTargetKind: Record<TargetKind, string> = {
  song: ' in the catalogue',
  playlist: ' in the catalogue',
  category: ' in the catalogue',
  site: '',
  list: '',
  message: '',
  account: '',
}
/** The word for a kind of target in mails to owners. */
const ownerMailWordByTargetKind: Partial<Record<TargetKind, string>> = { site: 'site', list: 'playlist' }

/** Returns the function that creates a mail of the team. Its last paragraph asks for an answer by the contact form, whose link follows. */
const createTeamMail = (subject: string, paragraphs: readonly string[], actedAtMs: number, context: MailContext): ComposeMail => {
  const contactUrl = `${context.origin}/get-in-touch?topic=other`
  return (to) => ({
    to,
    sender: formatSiteName(context),
    subject,
    text: [...paragraphs, contactUrl, createSignature(context)].join('\n\n'),
    link: contactUrl,
    action: 'Write to the team',
    expiresMs: actedAtMs + OWNER_MAIL_LIFETIME_MS,
  })
}

/** Returns the function that creates the mail that informs an owner about an action on their website or playlist, with its reason. */
const createOwnerMail = (
  target: Pick<ActionTarget, 'kind' | 'id'>,
  actionText: string,
  { reason }: ModerationOrder,
  actedAtMs: number,
  context: MailContext,
): ComposeMail => {
  const targetNameForOwner = `Your ${ownerMailWordByTargetKind[target.kind] ?? target.kind} ${target.kind === 'site' ? `'${target.id}' ` : ''}`
  const actionMeaning = {
    hidden: 'Visitors do not see it. You keep it, and can go on changing it.',
    shown: 'Visitors see it again.',
    deleted: target.kind === 'list' ? 'You can restore it for 30 days, for yourself.' : 'Its pages and pictures are gone.',
  }[actionText]
  const mailLines = [
    `${targetNameForOwner}was ${actionText === 'shown' ? 'shown again' : actionText} by the team of ${formatSiteName(context)}.`,
    ...(reason === '' ? [] : [`Why: ${reason}`]),
  ]
  const paragraphs = [...mailLines, actionMeaning ?? '', 'If you think that this is a mistake, answer by the contact form of the site:']
  return createTeamMail(`${targetNameForOwner}was ${actionText}`, paragraphs, actedAtMs, context)
}

/**
 * The actions of admins. Every action is recorded with its reason, in the transaction that carries it out.
 * @param readMailContext reads the name, domain and origin that mails to owners show
 */
export function createModeration(
  { moderation: store }: Pick<Storage, 'moderation'>,
  readMailContext: () => Promise<MailContext>,
  nowMs: () => number,
) {
  const createActOptions = ({ isDryRun, ...act }: ModerationOrder) => ({ act: { ...act, atMs: nowMs() } satisfies Act, isDryRun })

  /** @throws CommandError if the outcome is not a change */
  function createResult(
    outcome: ActionOutcome,
    { kind, id }: Pick<ActionTarget, 'kind' | 'id'>,
    adminOrder: ModerationOrder,
    targetState: string,
  ): ActionResult {
    const targetName = `${kind} ${id}`
    if (outcome.kind === 'unknown') throw createRefusal(`There is no ${targetName}${locationTextByTargetKind[kind]}`)
    if (outcome.kind === 'refused') throw createRefusal(outcome.reason)
    if (outcome.kind === 'already') {
      const { hidden } = outcome.target
      const since = hidden?.since === undefined ? '' : `, since ${hidden.since}`
      throw createRefusal(`The ${targetName} is ${targetState} already${since}${hidden === undefined ? '' : `: ${hidden.reason}`}`)
    }
    return { dry_run: adminOrder.isDryRun, target: targetName, title: outcome.target.title, effects: outcome.effects }
  }

  type Verb = 'hide' | 'show' | 'delete'
  const stateByVerb = { hide: 'hidden', show: 'shown', delete: 'deleted' } as const

  async function moderateItem(verb: Verb, kind: HideableKind, itemId: string, adminOrder: ModerationOrder): Promise<ActionResult> {
    const actOptions = createActOptions(adminOrder)
    const newState = stateByVerb[verb]
    const mailContext = await readMailContext()
    const composeMail = createOwnerMail({ kind, id: itemId }, newState, adminOrder, actOptions.act.atMs, mailContext)
    const ownedOptions = { ...actOptions, composeMail }
    const changeByKind: Record<HideableKind, Record<Verb, () => Promise<ActionOutcome>>> = {
      song: createItemChanges('song'),
      playlist: createItemChanges('playlist'),
      site: {
        hide: () => store.hideWebsite(itemId, ownedOptions),
        show: () => store.showWebsite(itemId, ownedOptions),
        delete: () => store.deleteWebsite(itemId, ownedOptions),
      },
      list: {
        hide: () => store.hideList(itemId, ownedOptions),
        show: () => store.showList(itemId, ownedOptions),
        delete: () => store.deleteList(itemId, ownedOptions),
      },
    }
    function createItemChanges(itemKind: CatalogueItemKind) {
      return {
        hide: () => store.hideItem(itemKind, itemId, actOptions),
        show: () => store.showItem(itemKind, itemId, actOptions),
        delete: () => store.deleteItem(itemKind, itemId, actOptions),
      }
    }
    return createResult(await changeByKind[kind][verb](), { kind, id: itemId }, adminOrder, newState)
  }

  return {
    /** Takes a song or playlist out of the catalogue, or a site or shared playlist from its visitors, until it is shown again. */
    hide: (kind: HideableKind, id: string, order: ModerationOrder) => moderateItem('hide', kind, id, order),
    show: (kind: HideableKind, id: string, order: ModerationOrder) => moderateItem('show', kind, id, order),
    remove: (kind: HideableKind, id: string, order: ModerationOrder) => moderateItem('delete', kind, id, order),

    renameCategory: async (id: string, name: string, order: ModerationOrder): Promise<ActionResult> =>
      createResult(await store.renameCategory(id, name, createActOptions(order)), { kind: 'category', id }, order, `named ${name}`),

    deleteMessage: async (id: number, order: ModerationOrder): Promise<ActionResult> =>
      createResult(await store.deleteMessage(id, createActOptions(order)), { kind: 'message', id: String(id) }, order, 'deleted'),

    /** Ends all logins of an account. */
    signOut: async (uid: string, order: ModerationOrder): Promise<ActionResult> =>
      createResult(await store.endLogins(uid, createActOptions(order)), { kind: 'account', id: uid }, order, 'signed out'),

    /** Deletes an account and all its data. */
    deleteAccount: async (uid: string, order: ModerationOrder): Promise<ActionResult> =>
      createResult(await store.deleteAccount(uid, createActOptions(order)), { kind: 'account', id: uid }, order, 'deleted'),

    /** Changes the email address of an account, and informs the earlier address. The owner has to verify the new address. */
    changeAddress: async (uid: string, newAddress: string, adminOrder: ModerationOrder): Promise<ActionResult> => {
      const actOptions = createActOptions(adminOrder)
      const mailContext = await readMailContext()
      const paragraphs = [
        `The team of ${formatSiteName(mailContext)} has changed the address of your account. Mails go to the new address from now on, and you have to log in again.`,
        `Why: ${adminOrder.reason}`,
        'If you did not ask for this, write to the team by the contact form of the site:',
      ]
      const composeMail = createTeamMail('The address of your account was changed', paragraphs, actOptions.act.atMs, mailContext)
      const outcome = await store.changeAddress(uid, newAddress, { ...actOptions, composeMail })
      return createResult(outcome, { kind: 'account', id: uid }, adminOrder, `known as ${newAddress}`)
    },

    listHidden: (): Promise<ActionTarget[]> => store.listHidden(),

    /** Lists the newest reports, newest first; without `isAll`, only those with which nothing was done. */
    listReports: (isAll: boolean, limit: number): Promise<Report[]> => store.listReports(limit, { isOpen: !isAll }),

    /** Records that nothing is to be done about the reports of a target. @throws CommandError if it has none */
    closeReports: async (reportTarget: string, adminOrder: ModerationOrder): Promise<ActionResult> => {
      const reports = await store.listReports(Number.MAX_SAFE_INTEGER, { target: reportTarget })
      if (reports.length === 0) throw createRefusal(`Nobody has reported '${reportTarget}'`)
      const openReports = reports.filter((report) => report.done === undefined)
      if (openReports.length === 0)
        throw createRefusal(`The reports of ${reportTarget} are closed already: ${reports[0]?.done?.outcome ?? ''}`)
      if (!adminOrder.isDryRun)
        await store.recordAction(createActOptions(adminOrder).act, { target: reportTarget, outcome: 'reports closed' })
      return {
        dry_run: adminOrder.isDryRun,
        target: reportTarget,
        title: openReports[0]?.title ?? '',
        effects: { reports: openReports.length },
      }
    },

    /** Lists the newest recorded actions, newest first; those on one target if it is given. */
    listActions: (limit: number, target?: string): Promise<AdminAction[]> => store.listActions(limit, target),
  }
}
export type Moderation = ReturnType<typeof createModeration>

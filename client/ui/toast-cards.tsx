import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { readPressedKey } from '../primitives/keys.ts'
import { createCleanupScope } from '../primitives/scope.ts'
import { cutMiddle } from './cut-middle.ts'
import type { IconName } from './icon.tsx'
import { MessageCard } from './message-card.tsx'
import styles from './toast.module.css'
import { findTopDialog, keepToastsInTopDialog } from './toast-place.ts'

export interface Toast {
  text: string
  /**
   * The subject of the toast, usually the title of a song. Toasts with the same text and a subject share one card, which counts and lists
   * their subjects.
   */
  subject?: string
  /** A sentence after the text and the subject. */
  note?: string
  kind?: 'plain' | 'good' | 'bad'
  /** Whether this device has stored the change that the toast reports. If not, the toast is an alert that says so; `kind: 'bad'` already does. */
  isStored?: boolean
  /** Whether screen readers announce the toast as an alert; `kind: 'bad'` implies it. */
  urgent?: boolean
  icon?: IconName
  /** The time in milliseconds until the toast disappears. It is paused while the toast is hovered or focused. */
  durationMs?: number
  /** The action of the toast's button, usually an undo. Ctrl+Z outside of text fields runs it, too. */
  action?: { label: string; onSelect: () => void }
  /** Called when the toast disappears without its action: after its duration, by Dismiss, or for newer toasts; not when the account changes. */
  onExpire?: () => void
}

export interface ShownToast extends Toast {
  id: number
}

const DEFAULT_DURATION_MS = 5000
/** The time in milliseconds for which a live region must be accessible before its first message, so that screen readers announce the message. */
const LIVE_REGION_SETTLE_MS = 100
const CARDS_MAX = 3
/** The maximum number of subjects that a card lists. Further subjects are only counted. */
const SUBJECTS_MAX = 3
/** The maximum length of a subject if the card lists several. With three subjects, a card has at most five lines on narrow screens. */
const LISTED_SUBJECT_MAX_LENGTH = 22

interface ToastCardsProps {
  toasts: readonly ShownToast[]
  /** Whether to render the toasts that are announced as alerts, or the others. */
  urgent: boolean
  onRemove: (ids: readonly number[]) => void
}

/** Renders toasts as cards. Toasts with the same text share a card. */
export function ToastCards({ toasts, urgent, onRemove }: ToastCardsProps) {
  const allGroups = groupToasts(toasts.map(withStorageNote))
  const shownGroups = allGroups.slice(-CARDS_MAX)
  const droppedToasts = allGroups.slice(0, -CARDS_MAX).flatMap((group) => group.filter((toast) => isUrgentToast(toast) === urgent))
  useEffect(() => {
    if (droppedToasts.length > 0) expireToasts(droppedToasts, onRemove)
  })
  // The lists of toasts are live regions. In a modal dialog, they become accessible only with the first toast.
  const [isAnnounceable, setAnnounceable] = useState(() => findTopDialog() === undefined)
  useEffect(() => {
    if (isAnnounceable) return
    const timer = setTimeout(() => setAnnounceable(true), LIVE_REGION_SETTLE_MS)
    return () => clearTimeout(timer)
  }, [isAnnounceable])
  useEffect(() => (urgent ? undefined : keepToastsInTopDialog()), [urgent])
  if (!isAnnounceable) return null
  const undoGroup = shownGroups.findLast((group) => group.some(({ action }) => action))
  return shownGroups
    .filter(([first]) => isUrgentToast(first) === urgent)
    .map((group) => <ToastCard key={findCardKey(group)} group={group} hasShortcut={group === undoGroup} onRemove={onRemove} />)
}

function expireToasts(toasts: readonly ShownToast[], onRemove: ToastCardsProps['onRemove']): void {
  onRemove(toasts.map(({ id }) => id))
  for (const { onExpire } of toasts) onExpire?.()
}

const withStorageNote = (toast: ShownToast): ShownToast =>
  toast.isStored === false && toast.kind !== 'bad'
    ? { ...toast, kind: 'bad', icon: 'warning', note: 'This device could not store the change.' }
    : toast

type ToastGroup = readonly [ShownToast, ...ShownToast[]]

const isUrgentToast = ({ kind, urgent }: ShownToast) => kind === 'bad' || urgent === true

/** A repeated toast without a subject gets a new card, so that screen readers announce it again. */
const findCardKey = (group: ToastGroup) => (group[0].subject === undefined ? group.at(-1) : group[0])?.id

/**
 * Combines toasts with the same text and note into one card. A toast that has an action but no subject keeps a card of its own, because the action
 * applies to that toast only.
 */
function groupToasts(toasts: readonly ShownToast[]): ToastGroup[] {
  const toastGroups: ToastGroup[] = []
  for (const shownToast of toasts) {
    const index = toastGroups.findIndex(
      ([firstToast]) =>
        firstToast.text === shownToast.text &&
        firstToast.note === shownToast.note &&
        (shownToast.subject === undefined ? !firstToast.action : firstToast.subject !== undefined),
    )
    const group = toastGroups[index]
    if (group) toastGroups[index] = [...group, shownToast]
    else toastGroups.push([shownToast])
  }
  return toastGroups
}

/** Returns the text of a group and its note. */
function describeGroup(group: ToastGroup): string {
  const text = describeSubjects(group)
  const { note } = group[0]
  return note === undefined ? text : `${text.replace(/\.$/, '')}. ${note}`
}

/** Returns the text of a group without its note: `Added to the queue: Vision`, or `Added to the queue (2): Vision, Dawn`. */
function describeSubjects(group: ToastGroup): string {
  const { text } = group[0]
  const subjectNames = group.flatMap(({ subject }) => subject ?? [])
  if (subjectNames.length === 0) return text
  if (subjectNames.length === 1) return `${text}: ${cutMiddle(subjectNames.join())}`
  const subjectList = subjectNames
    .slice(-SUBJECTS_MAX)
    .map((subject) => cutMiddle(subject, LISTED_SUBJECT_MAX_LENGTH))
    .join(', ')
  return `${text} (${subjectNames.length}): ${subjectNames.length > SUBJECTS_MAX ? '…, ' : ''}${subjectList}`
}

interface ToastCardProps {
  group: ToastGroup
  /** Whether Ctrl+Z runs the card's action. */
  hasShortcut: boolean
  onRemove: (ids: readonly number[]) => void
}

function ToastCard({ group, hasShortcut, onRemove }: ToastCardProps) {
  const [isToastPaused, setToastPaused] = useState(false)
  const latestToast = group.at(-1) ?? group[0]
  const { id, kind = 'plain', durationMs = DEFAULT_DURATION_MS, action } = latestToast
  const cardElement = useRef<HTMLDivElement>(null)
  /** The element that was focused before the focus moved into the toast. */
  const focusOrigin = useRef<Element>(null)
  const removeGroup = useEffectEvent(() => expireToasts(group, onRemove))
  // A toast that joins the group restarts the timer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: id restarts the timer
  useEffect(() => {
    if (isToastPaused) return
    const timer = setTimeout(() => removeGroup(), durationMs)
    return () => clearTimeout(timer)
  }, [isToastPaused, id, durationMs])

  // The popover that was shown last is above the others.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a toast that joins the group is shown above what has opened since.
  useLayoutEffect(() => {
    const region = cardElement.current?.closest<HTMLElement>('[popover]')
    region?.hidePopover()
    region?.showPopover()
  }, [id])

  // Restores the focus on unmount too, because the code that showed a toast may remove it while it is focused.
  useLayoutEffect(() => {
    const shownCard = cardElement.current
    return () => {
      if (shownCard?.contains(document.activeElement)) restoreFocus(focusOrigin.current)
    }
  }, [])

  const restoreFocusFromCard = () => {
    if (cardElement.current?.contains(document.activeElement)) restoreFocus(focusOrigin.current)
  }
  const closeToast = () => {
    restoreFocusFromCard()
    expireToasts(group, onRemove)
  }
  const cardAction = action && {
    label: action.label,
    onSelect() {
      restoreFocusFromCard()
      onRemove(group.map((each) => each.id))
      for (const each of group.toReversed()) each.action?.onSelect()
    },
  }
  useEffect(() => {
    if (!cardAction || !hasShortcut) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || readPressedKey(event) !== 'z' || !(event.ctrlKey || event.metaKey) || isTypingTarget(event.target))
        return
      event.preventDefault()
      cardAction.onSelect()
    }
    const scope = createCleanupScope()
    scope.listen(document, 'keydown', onKeyDown)
    return scope.dispose
  })

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only pause the timer.
    <div
      ref={cardElement}
      className={styles.toast}
      onPointerEnter={() => setToastPaused(true)}
      onPointerLeave={() => setToastPaused(false)}
      onFocus={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) focusOrigin.current = relatedTarget
        setToastPaused(true)
      }}
      onBlur={() => setToastPaused(false)}
    >
      <MessageCard
        icon={latestToast.icon ?? (kind === 'bad' ? 'warning' : kind === 'good' ? 'check' : 'info')}
        kind={kind}
        action={cardAction}
        closeLabel="Dismiss"
        onClose={closeToast}
      >
        {describeGroup(group)}
      </MessageCard>
    </div>
  )
}

/** Moves the focus to `focusTarget`. If it is no longer in the document, moves it to the first button of the open modal dialog, or to the `<main>` element. */
function restoreFocus(focusTarget: Element | null): void {
  const target = focusTarget?.isConnected ? focusTarget : (findTopDialog()?.querySelector('button') ?? document.querySelector('main'))
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

const isTypingTarget = (target: EventTarget | null) => target instanceof Element && target.closest('input, textarea') !== null

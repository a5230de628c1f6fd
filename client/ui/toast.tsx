import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react'
import { createScope } from '../primitives/scope.ts'
import type { IconName } from './icon.tsx'
import { MessageCard } from './message-card.tsx'
import styles from './toast.module.css'

export interface Toast {
  text: string
  kind?: 'plain' | 'good' | 'bad'
  /** Whether screen readers announce the toast as an alert; `kind: 'bad'` implies it. */
  urgent?: boolean
  icon?: IconName
  /** The time in milliseconds until the toast disappears. It is paused while the toast is hovered or focused. */
  durationMs?: number
  /** The action of the toast's button, usually an undo. Ctrl+Z outside of text fields runs it, too. */
  action?: { label: string; onSelect: () => void }
}

interface ShownToast extends Toast {
  id: number
}

const DEFAULT_DURATION_MS = 5000
const TOASTS_MAX = 3

const ToastContext = createContext<((toast: Toast) => void) | undefined>(undefined)

/** Returns a function that shows a toast at the lower edge of the page and announces it to screen readers. */
export function useToast(): (toast: Toast) => void {
  const addToast = use(ToastContext)
  if (!addToast) throw new Error('useToast: no ToastRegion among the ancestors.')
  return addToast
}

interface ToastRegionProps {
  /** The account to which actions apply. A change of it removes the toasts with an action. */
  account?: string | undefined
  children: ReactNode
}

/** Provides `useToast` to the whole app. The live regions exist before the first message, as screen readers require. */
export function ToastRegion({ account, children }: ToastRegionProps) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([])
  const nextId = useRef(1)

  const addToast = useCallback((toast: Toast) => {
    const id = nextId.current++
    // A toast replaces one with the same text, unless the older one has an action.
    setToasts((shownToasts) =>
      [...shownToasts.filter((each) => each.action || each.text !== toast.text), { ...toast, id }].slice(-TOASTS_MAX),
    )
  }, [])
  const remove = useCallback((id: number) => setToasts((shownToasts) => shownToasts.filter((each) => each.id !== id)), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs when the account changes.
  useEffect(() => setToasts((shownToasts) => shownToasts.filter(({ action }) => !action)), [account])

  const undoToastId = toasts.findLast(({ action }) => action)?.id
  const renderCards = (urgent: boolean) =>
    toasts
      .filter((toast) => (toast.kind === 'bad' || toast.urgent === true) === urgent)
      .map((toast) => <ToastCard key={toast.id} toast={toast} hasShortcut={toast.id === undoToastId} onClose={remove} />)
  return (
    <ToastContext value={addToast}>
      {children}
      <div className={styles.region}>
        <div role="status" aria-live="polite" className={styles.list}>
          {renderCards(false)}
        </div>
        <div role="alert" aria-live="assertive" className={styles.list}>
          {renderCards(true)}
        </div>
      </div>
    </ToastContext>
  )
}

function ToastCard({ toast, hasShortcut, onClose }: { toast: ShownToast; hasShortcut: boolean; onClose: (id: number) => void }) {
  const [isPaused, setPaused] = useState(false)
  const { id, kind = 'plain', durationMs = DEFAULT_DURATION_MS, action } = toast
  const card = useRef<HTMLDivElement>(null)
  /** The element that was focused before the focus moved into the toast. */
  const focusOrigin = useRef<Element>(null)
  useEffect(() => {
    if (isPaused) return
    const timer = setTimeout(() => onClose(id), durationMs)
    return () => clearTimeout(timer)
  }, [isPaused, id, durationMs, onClose])

  const closeToast = () => {
    if (card.current?.contains(document.activeElement)) restoreFocus(focusOrigin.current)
    onClose(id)
  }
  const cardAction = action && {
    label: action.label,
    onSelect() {
      closeToast()
      action.onSelect()
    },
  }
  useEffect(() => {
    if (!cardAction || !hasShortcut) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.key !== 'z' || !(event.ctrlKey || event.metaKey) || isTyping(event.target)) return
      event.preventDefault()
      cardAction.onSelect()
    }
    const scope = createScope()
    scope.listen(document, 'keydown', onKeyDown)
    return scope.dispose
  })

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only pause the timer.
    <div
      ref={card}
      className={styles.toast}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) focusOrigin.current = relatedTarget
        setPaused(true)
      }}
      onBlur={() => setPaused(false)}
    >
      <MessageCard
        icon={toast.icon ?? (kind === 'bad' ? 'warning' : kind === 'good' ? 'check' : 'info')}
        kind={kind}
        action={cardAction}
        closeLabel="Dismiss"
        onClose={closeToast}
      >
        {toast.text}
      </MessageCard>
    </div>
  )
}

/** Moves the focus to `to`, or to the `<main>` element if `to` is no longer in the document. */
function restoreFocus(to: Element | null): void {
  const target = to?.isConnected ? to : document.querySelector('main')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

const isTyping = (target: EventTarget | null) => target instanceof Element && target.closest('input, textarea') !== null

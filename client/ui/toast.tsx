import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react'
import type { IconName } from './icon.tsx'
import { MessageCard } from './message-card.tsx'
import styles from './toast.module.css'

export interface Toast {
  text: string
  kind?: 'plain' | 'good' | 'bad'
  /** Read out at once, as an alert; what is `bad` always is. */
  urgent?: boolean
  icon?: IconName
  /** How long it stays; it waits while it is hovered or holds the focus. */
  durationMs?: number
  /** The way back: by its button, or by Ctrl+Z outside of text fields. */
  action?: { label: string; onSelect: () => void }
}

interface ShownToast extends Toast {
  id: number
}

const DURATION_MS = 5000
const MOST = 3

const ToastContext = createContext<((toast: Toast) => void) | undefined>(undefined)

/** Gives the function that shows a short message at the page's lower edge, and reads it out. */
export function useToast(): (toast: Toast) => void {
  const show = use(ToastContext)
  if (!show) throw new Error('useToast needs a ToastRegion above it.')
  return show
}

/** Stands once around the app. Its live regions exist before the first message, as screen readers need. */
export function ToastRegion({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([])
  const nextId = useRef(1)

  const show = useCallback((toast: Toast) => {
    const id = nextId.current++
    // What can be taken back is not one with another of the same words.
    setToasts((shown) => [...shown.filter((each) => each.action || each.text !== toast.text), { ...toast, id }].slice(-MOST))
  }, [])
  const remove = useCallback((id: number) => setToasts((shown) => shown.filter((each) => each.id !== id)), [])

  const undoneByKeys = toasts.findLast(({ action }) => action)?.id
  const cards = (urgent: boolean) =>
    toasts
      .filter((toast) => (toast.kind === 'bad' || toast.urgent === true) === urgent)
      .map((toast) => <ToastCard key={toast.id} toast={toast} byKeys={toast.id === undoneByKeys} onEnd={remove} />)
  return (
    <ToastContext value={show}>
      {children}
      <div className={styles.region}>
        <div role="status" aria-live="polite" className={styles.list}>
          {cards(false)}
        </div>
        <div role="alert" aria-live="assertive" className={styles.list}>
          {cards(true)}
        </div>
      </div>
    </ToastContext>
  )
}

function ToastCard({ toast, byKeys, onEnd }: { toast: ShownToast; byKeys: boolean; onEnd: (id: number) => void }) {
  const [held, setHeld] = useState(false)
  const { id, kind = 'plain', durationMs = DURATION_MS, action } = toast
  const card = useRef<HTMLDivElement>(null)
  /** Where the focus was before it came here. */
  const left = useRef<Element>(null)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => onEnd(id), durationMs)
    return () => clearTimeout(timer)
  }, [held, id, durationMs, onEnd])

  const end = () => {
    if (card.current?.contains(document.activeElement)) giveFocusBack(left.current)
    onEnd(id)
  }
  const select = action && {
    label: action.label,
    onSelect() {
      end()
      action.onSelect()
    },
  }
  useEffect(() => {
    if (!select || !byKeys) return
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.key !== 'z' || !(event.ctrlKey || event.metaKey) || isTyping(event.target)) return
      event.preventDefault()
      select.onSelect()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the message from leaving while someone is on it.
    <div
      ref={card}
      className={styles.toast}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) left.current = relatedTarget
        setHeld(true)
      }}
      onBlur={() => setHeld(false)}
    >
      <MessageCard
        icon={toast.icon ?? (kind === 'bad' ? 'warning' : kind === 'good' ? 'check' : 'info')}
        kind={kind}
        action={select}
        closeLabel="Dismiss"
        onClose={end}
      >
        {toast.text}
      </MessageCard>
    </div>
  )
}

/** What goes with the focus on it leaves it where it was, else at the page. */
function giveFocusBack(to: Element | null): void {
  const target = to?.isConnected ? to : document.querySelector('main')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

const isTyping = (target: EventTarget | null) => target instanceof Element && target.closest('input, textarea') !== null

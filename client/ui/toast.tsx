import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react'
import { lazyWithRetry } from './lazy-with-retry.tsx'
import styles from './toast.module.css'
import type { ShownToast, Toast } from './toast-cards.tsx'

type ShowToast = (toast: Toast) => () => void

const ToastContext = createContext<ShowToast | undefined>(undefined)

// The cards are loaded on demand, because the first toast follows an interaction. If they cannot be loaded, the text of the latest toast is
// shown without a card.
const ToastCards = lazyWithRetry(() => import('./toast-cards.tsx').then((module) => module.ToastCards), {
  renderError: ({ toasts }) => toasts.at(-1)?.text,
})

export const preloadToasts = ToastCards.preload

/**
 * Returns a function that shows a toast at the lower edge of the page and announces it to screen readers. The function returns a second
 * function, which removes the toast early.
 */
export function useToast(): ShowToast {
  const addToast = use(ToastContext)
  if (!addToast) throw new Error('useToast needs a ToastRegion.')
  return addToast
}

interface ToastRegionProps {
  /** The account to which the actions of toasts apply. When the account changes, toasts with an action are removed. */
  accountUid?: string | undefined
  children: ReactNode
}

/** Provides `useToast` to the whole app. The live regions exist before the first message, as screen readers require. */
export function ToastRegion({ accountUid, children }: ToastRegionProps) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([])
  const nextId = useRef(1)

  const removeToasts = useCallback(
    (ids: readonly number[]) => setToasts((shownToasts) => shownToasts.filter(({ id }) => !ids.includes(id))),
    [],
  )
  const addToast = useCallback(
    (toast: Toast) => {
      const id = nextId.current++
      setToasts((shownToasts) => [...shownToasts, { ...toast, id }])
      return () => removeToasts([id])
    },
    [removeToasts],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs when the account changes.
  useEffect(() => setToasts((shownToasts) => shownToasts.filter(({ action }) => !action)), [accountUid])

  const renderCards = (urgent: boolean) => toasts.length > 0 && <ToastCards toasts={toasts} urgent={urgent} onRemove={removeToasts} />
  return (
    <ToastContext value={addToast}>
      {children}
      {/* A popover, so that its cards are above other popovers and dialogs. It is rendered while closed, too. */}
      <div popover="manual" className={styles.region}>
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

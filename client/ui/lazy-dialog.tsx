import { type ComponentType, useLayoutEffect, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { lazyWithRetry } from './lazy-with-retry.tsx'

interface LazyDialogProps {
  open: boolean
  onClose: () => void
}

/**
 * Returns a dialog component whose chunk is loaded when it is first opened. If loading fails, a dialog with the given title shows
 * the error message and a Retry button.
 */
export function lazyDialog<P extends LazyDialogProps>(title: string, load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let isLoaded = false
  /** The element that had the focus before the dialog's chunk was loaded. It gets the focus back when the dialog closes, if no element has it. */
  let opener: Element | null = null
  const Content = lazyWithRetry(
    async () => {
      const component = await load()
      isLoaded = true
      return component
    },
    {
      renderError: ({ open, onClose }: P, message) => (
        <Dialog open={open} onClose={onClose} title={title}>
          {message}
        </Dialog>
      ),
    },
  )

  // biome-ignore lint/correctness/noComponentHookFactories: called at module level only, once for each dialog.
  return function LazyDialog(props: P) {
    const [wasOpened, setWasOpened] = useState(false)
    if (props.open && !wasOpened) setWasOpened(true)
    useLayoutEffect(() => {
      if (props.open) opener = isLoaded ? null : document.activeElement
    }, [props.open])
    const closeDialog = () => {
      props.onClose()
      // The `close` event is a task of its own: the person may have moved the focus since the dialog has returned it.
      if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus({ preventScroll: true })
      opener = null
    }
    return wasOpened && <Content {...props} onClose={closeDialog} />
  }
}

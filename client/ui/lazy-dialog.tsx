import { type ComponentType, useLayoutEffect, useState } from 'react'
import { Dialog, loadingDialog } from './dialog.tsx'
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
      if (props.open && !isLoaded) loadingDialog.opener = document.activeElement
    }, [props.open])
    return wasOpened && <Content {...props} />
  }
}

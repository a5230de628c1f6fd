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
export function lazyDialog<P extends LazyDialogProps>(
  dialogTitle: string,
  loadComponent: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  let isDialogLoaded = false
  const Content = lazyWithRetry(
    async () => {
      const component = await loadComponent()
      isDialogLoaded = true
      return component
    },
    {
      renderError: ({ open, onClose }: P, errorMessage) => (
        <Dialog open={open} onClose={onClose} title={dialogTitle}>
          {errorMessage}
        </Dialog>
      ),
    },
  )

  // biome-ignore lint/correctness/noComponentHookFactories: called at module level only, once for each dialog.
  return function LazyDialog(props: P) {
    const [wasDialogOpened, setDialogOpened] = useState(false)
    if (props.open && !wasDialogOpened) setDialogOpened(true)
    useLayoutEffect(() => {
      if (props.open && !isDialogLoaded) loadingDialog.opener = document.activeElement
    }, [props.open])
    return wasDialogOpened && <Content {...props} />
  }
}

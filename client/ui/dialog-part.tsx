import { type ComponentType, useLayoutEffect, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { createPart } from './part.tsx'

interface DialogPartProps {
  open: boolean
  onClose: () => void
}

/** A dialog whose program is fetched when it is first opened; from then on it stays, and gives the focus back itself. `title`: where it does not come. */
export function createDialogPart<P extends DialogPartProps>(title: string, load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let hasCome = false
  /** Where the focus was when it was opened before it had come: it may have moved on until it shows. */
  let opener: Element | null = null
  const Content = createPart(
    async () => {
      const component = await load()
      hasCome = true
      return component
    },
    {
      missing: ({ open, onClose }: P, words) => (
        <Dialog open={open} onClose={onClose} title={title}>
          {words}
        </Dialog>
      ),
    },
  )

  // biome-ignore lint/correctness/noComponentHookFactories: made once for each dialog, where modules are read.
  return function DialogPart(props: P) {
    const [used, setUsed] = useState(false)
    if (props.open && !used) setUsed(true)
    useLayoutEffect(() => {
      if (props.open) opener = hasCome ? null : document.activeElement
    }, [props.open])
    const close = () => {
      props.onClose()
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
      opener = null
    }
    return used && <Content {...props} onClose={close} />
  }
}

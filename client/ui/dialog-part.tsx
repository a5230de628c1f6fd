import { type ComponentType, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { createPart } from './part.tsx'

interface DialogPartProps {
  open: boolean
  onClose: () => void
}

/** A dialog whose program is fetched when it is first opened; from then on it stays, and gives the focus back itself. `title`: where it does not come. */
export function createDialogPart<P extends DialogPartProps>(title: string, load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Content = createPart(load, {
    missing: ({ open, onClose }, words) => (
      <Dialog open={open} onClose={onClose} title={title}>
        {words}
      </Dialog>
    ),
  })

  // biome-ignore lint/correctness/noComponentHookFactories: made once for each dialog, where modules are read.
  return function DialogPart(props: P) {
    const [used, setUsed] = useState(false)
    if (props.open && !used) setUsed(true)
    return used && <Content {...props} />
  }
}

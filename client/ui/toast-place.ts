import { createCleanupScope } from '../primitives/scope.ts'
import styles from './toast.module.css'

/** Returns the modal dialog that is above the others; undefined if none is open. The focus is never in one of the others, which are inert. */
export const findTopDialog = (): HTMLDialogElement | undefined =>
  document.activeElement?.closest<HTMLDialogElement>('dialog:modal') ??
  [...document.querySelectorAll<HTMLDialogElement>('dialog:modal')].at(-1)

/**
 * Keeps the lists of toasts in the modal dialog that is above the others while one is open, because everything outside of it is inert: screen readers do
 * not announce it, and a press on it is one on the backdrop. Returns a function that moves the lists back. React owns the lists, but inserts nothing
 * beside them, so it does not depend on their parent.
 */
export function keepToastsInTopDialog(): () => void {
  const home = document.getElementsByClassName(styles.region ?? '')[0]
  if (!(home instanceof HTMLElement)) return () => {}
  const toastLists = [...home.children]
  const regionOfDialog = document.createElement('div')
  regionOfDialog.popover = 'manual'
  regionOfDialog.className = home.className

  const moveToTopDialog = () => {
    const dialog = findTopDialog()
    const region = dialog ? regionOfDialog : home
    if (dialog && regionOfDialog.parentElement !== dialog) dialog.append(regionOfDialog)
    else if (toastLists.every((list) => list.parentElement === region)) return
    region.append(...toastLists)
    if (!dialog) regionOfDialog.remove()
    region.hidePopover()
    region.showPopover()
  }
  moveToTopDialog()
  // Follows dialogs that are opened, closed or removed.
  const observer = new MutationObserver(moveToTopDialog)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['open'] })
  const scope = createCleanupScope()
  scope.add(() => observer.disconnect())
  scope.add(() => {
    home.append(...toastLists)
    regionOfDialog.remove()
  })
  return scope.dispose
}

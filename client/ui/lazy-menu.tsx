import { type ComponentType, useState } from 'react'
import { Dialog } from './dialog.tsx'
import type { IconName } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import { lazyWithRetry } from './lazy-with-retry.tsx'
import { createMenuTriggerProps, type MenuFocus } from './menu-trigger.ts'

interface MenuButtonProps {
  label: string
  className?: string
}

interface OpenMenuProps {
  openAtFirst: MenuFocus
  /** Called when a person closes the message that the menu could not be loaded. */
  onFailureClose: () => void
}

/**
 * Returns a menu with an on-demand chunk, because most menus are never opened, such as those of the rows of lists. Until its button is
 * pressed, only the button is rendered. `loadComponent` resolves with the component of the menu.
 */
export function lazyMenu<P extends MenuButtonProps>(
  loadComponent: () => Promise<ComponentType<P & OpenMenuProps>>,
  icon: IconName = 'more',
): ComponentType<P> {
  const OpenedMenu = lazyWithRetry<P & OpenMenuProps>(loadComponent, {
    fallback: ({ label, className }) => <IconButton icon={icon} label={label} className={className} />,
    renderError: ({ label, onFailureClose }, errorMessage) => (
      <Dialog open onClose={onFailureClose} title={label}>
        {errorMessage}
      </Dialog>
    ),
  })
  const preloadMenu = () => void OpenedMenu.preload().catch(() => undefined)

  // biome-ignore lint/correctness/noComponentHookFactories: called at module level only, once for each component.
  return function LazyMenu(props: P) {
    const [menuFocus, setMenuFocus] = useState<MenuFocus>()
    if (menuFocus !== undefined) return <OpenedMenu {...props} openAtFirst={menuFocus} onFailureClose={() => setMenuFocus(undefined)} />
    const { label, className } = props
    return (
      <IconButton
        icon={icon}
        label={label}
        className={className}
        {...createMenuTriggerProps(setMenuFocus)}
        onPointerEnter={preloadMenu}
        onFocus={preloadMenu}
      />
    )
  }
}

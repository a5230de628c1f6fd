import { createCleanupScope } from '../primitives/scope.ts'

const markPicture = ({ target, type }: Event) => {
  if (target instanceof HTMLImageElement) target.toggleAttribute('data-failed', type === 'error')
}

/**
 * Marks pictures that cannot be loaded. `global.css` hides marked pictures, so that the surface of their frame is shown instead of the
 * browser's icon. Returns the function that stops the marking.
 */
export function markFailedPictures(): () => void {
  const scope = createCleanupScope()
  // The listeners are in the capture phase, because neither event bubbles.
  scope.listen(document, 'error', markPicture, { capture: true })
  scope.listen(document, 'load', markPicture, { capture: true })
  // Marks the pictures in the server's HTML that failed before this call.
  for (const picture of document.querySelectorAll('img')) {
    if (picture.complete && picture.naturalWidth === 0) picture.toggleAttribute('data-failed', true)
  }
  return scope.dispose
}

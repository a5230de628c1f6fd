import { createScope } from '../primitives/scope.ts'

const markPicture = ({ target, type }: Event) => {
  if (target instanceof HTMLImageElement) target.toggleAttribute('data-failed', type === 'error')
}

/**
 * Marks pictures that cannot be loaded. `global.css` hides them, so that the frame's own surface is shown instead of the browser's icon.
 * Returns the function that stops this.
 */
export function markFailedPictures(): () => void {
  const scope = createScope()
  // Neither event bubbles.
  scope.listen(document, 'error', markPicture, { capture: true })
  scope.listen(document, 'load', markPicture, { capture: true })
  // Those of the server's HTML that failed before.
  for (const picture of document.querySelectorAll<HTMLImageElement>('img[srcset]')) {
    if (picture.complete && picture.naturalWidth === 0) picture.toggleAttribute('data-failed', true)
  }
  return scope.dispose
}

/** Renders the first focusable element of the page, a link that skips the navigation. */
export function SkipLink() {
  return <a href="#main">Skip to content</a>
}

import { Component, type ErrorInfo, type ReactNode } from 'react'
import { reloadPage } from '../hooks/reload-page.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'

/** Error boundary around the whole app: renders `AppErrorPage` for an error that no route's error boundary caught. */
export class AppBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack)
  }

  override render() {
    return this.state.failed ? <AppErrorPage /> : this.props.children
  }
}

import typeStyles from '../ui/type.module.css'
import styles from './app-failure.module.css'

/** Error page of the whole app, for a failed start or an error outside of any route. Works without services and router. */
export function AppErrorPage() {
  return (
    <main className={classNames(typeStyles.wrap, styles.page)}>
      <h1 className={classNames(typeStyles.display, typeStyles.d3)}>Something went wrong</h1>
      <p role="alert" className={typeStyles.lead}>
        The page had to stop. Nothing you saved is lost. Reload to carry on.
      </p>
      <div className={styles.actions}>
        <Button variant="primary" icon="loop" onClick={reloadPage}>
          Reload
        </Button>
        <Button to="/" variant="tertiary">
          Go back home
        </Button>
      </div>
    </main>
  )
}

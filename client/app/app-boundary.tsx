import { Component, type ErrorInfo, type ReactNode } from 'react'
import { AppFailure } from './app-failure.tsx'

/** Error boundary around the whole app: renders `AppFailure` for an error that no route's error boundary caught. */
export class AppBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack)
  }

  override render() {
    return this.state.failed ? <AppFailure /> : this.props.children
  }
}

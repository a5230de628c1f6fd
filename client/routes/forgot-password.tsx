import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { ForgotPasswordPage } from '../features/account/forgot-password-page.tsx'

export const Route = createFileRoute('/forgot-password')({
  head: pageHead,
  component: ForgotPasswordPage,
})

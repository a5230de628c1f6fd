import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { ChangePasswordPage } from '../features/account/change-password-page.tsx'

export const Route = createFileRoute('/account/change-password')({
  head: pageHead,
  component: ChangePasswordPage,
})

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is the memory that our libraries take by being there. */
int main(void)
{
	return 0;
}
